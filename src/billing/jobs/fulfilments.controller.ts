import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../platform/api/path-id';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ApiFulfilmentAction, ChangeFulfilmentDto, FulfilmentDto } from '../dto/fulfilment.dto';
import {
  ApiCarryOut,
  CarriedOutDto,
  CarryOutDto,
  CarryOutQuery,
  FulfilmentListDto,
  ListFulfilmentsQuery,
  MAX_CARRIED_OUT,
} from '../dto/fulfilments.dto';
import { LongWork } from '../../tenancy/access/management-turns';
import { FulfilmentsService } from './fulfilments.service';

@ApiTags('Sessions')
@Controller('api/v1/public')
export class FulfilmentsController {
  constructor(private readonly fulfilments: FulfilmentsService) {}

  @Get('fulfilments')
  @LeastRole('viewer')
  @LongWork()
  @ApiOperation({
    summary: 'List what customers decided for billing',
    description:
      'Accepted offers and cancellations with what they do to the subscription, newest session first. With `ending_before`, those whose ' +
      'discount, pause or extension ends soon.',
  })
  @ApiOkResponse({ type: FulfilmentListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: ListFulfilmentsQuery): Promise<FulfilmentListDto> {
    const { items: fulfilments, next_cursor } = await this.fulfilments.list(tenant, query);
    return { fulfilments, next_cursor };
  }

  @Post('fulfilments/carry-out')
  @LeastRole('owner')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'fulfilments_carryOut',
    summary: 'Carry out what the dry run wrote down',
    description:
      `Once the connection is live: the oldest ${MAX_CARRIED_OUT} decisions of the dry run, in the background. Repeat it while \`left\` is not 0. One ` +
      'at a time: `POST /sessions/:id/fulfilment` with `retry`.',
  })
  @ApiCarryOut()
  @ApiOkResponse({ type: CarriedOutDto })
  @ApiProblems('billing_not_live')
  carryOut(
    @CurrentTenant() tenant: Tenant,
    @Body() body: CarryOutDto,
    @Query() query: CarryOutQuery,
  ): Promise<CarriedOutDto> {
    return this.fulfilments.carryOut(tenant, body, query);
  }

  @Post('sessions/:id/fulfilment')
  @LeastRole('owner')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'sessions_fulfil',
    summary: 'Try again, or say that it is done',
    description: 'For what the billing system has not carried out: `GET /sessions?fulfilment=attention` lists it.',
  })
  @ApiFulfilmentAction()
  @ApiOkResponse({ type: FulfilmentDto })
  @ApiProblems('nothing_to_fulfil')
  change(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body() body: ChangeFulfilmentDto,
  ): Promise<FulfilmentDto> {
    return this.fulfilments.change(tenant, id, body);
  }
}
