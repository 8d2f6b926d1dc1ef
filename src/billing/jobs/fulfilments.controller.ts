import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../platform/api/path-id';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ApiFulfilmentAction, ChangeFulfilmentDto, FulfilmentDto } from '../dto/fulfilment.dto';
import { FulfilmentsService } from './fulfilments.service';

@ApiTags('Sessions')
@Controller('api/v1/public/sessions')
export class FulfilmentsController {
  constructor(private readonly fulfilments: FulfilmentsService) {}

  @Post(':id/fulfilment')
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
