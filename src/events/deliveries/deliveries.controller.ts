import { Body, Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../platform/api/path-id';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { LongWork } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { DeliveriesService } from './deliveries.service';
import { SentOnRequestGuard } from './sent-on-request.guard';
import {
  ApiRecovery,
  ApiTest,
  DeliveryListDto,
  ListDeliveriesQuery,
  QueuedDeliveriesDto,
  RecoverDto,
  QueuedTestDto,
  WebhookTestDto,
} from './delivery.dto';

@ApiTags('Webhooks')
@Controller('api/v1/public/webhooks/:id')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @LeastRole('viewer')
  @LongWork()
  @ApiOperation({
    operationId: 'webhooks_deliveries',
    summary: 'List the deliveries to a webhook',
    description: 'By the time of their events, newest first. They are kept as long as the events.',
  })
  @ApiOkResponse({ type: DeliveryListDto })
  async list(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<DeliveryListDto> {
    return DeliveryListDto.of(await this.deliveries.list(tenant, id, query));
  }

  @Post('test')
  @LeastRole('owner')
  @HttpCode(202)
  @UseGuards(SentOnRequestGuard)
  @ApiOperation({
    operationId: 'webhooks_test',
    summary: 'Send a test to a webhook',
    description:
      'An event of the type `test`, or a sample of the `type` that you name: the example of this documentation, as if it happened now, ' +
      'and with `"test": true` beside `type`. It is sent in one attempt, whichever types the webhook asks for, and also if it is disabled.',
  })
  @ApiTest()
  @ApiAcceptedResponse({ type: QueuedTestDto })
  @ApiProblems('sends_nothing')
  async test(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body() { type }: WebhookTestDto,
  ): Promise<QueuedTestDto> {
    return { event_id: await this.deliveries.test(tenant, id, type) };
  }

  @Post('recover')
  @LeastRole('owner')
  @LongWork()
  @HttpCode(202)
  @UseGuards(SentOnRequestGuard)
  @ApiOperation({
    operationId: 'webhooks_recover',
    summary: 'Send what a webhook did not get',
    description:
      'Every event of the span that the webhook asks for and that was not delivered is sent: failed ones, and those that were ' +
      'never tried, because the webhook was disabled or asked for other types. With 100,000 events it may take longer ' +
      'than a request: 503. Send it again until it is 202.',
  })
  @ApiRecovery()
  @ApiAcceptedResponse({ type: QueuedDeliveriesDto })
  @ApiProblems('sends_nothing', 'webhook_disabled')
  async recover(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body() body: RecoverDto,
  ): Promise<QueuedDeliveriesDto> {
    return { deliveries: await this.deliveries.recover(tenant, id, body) };
  }
}
