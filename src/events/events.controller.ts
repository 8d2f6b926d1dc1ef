import { Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../platform/api/path-id';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { LongWork } from '../tenancy/access/management-turns';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { QueuedDeliveriesDto } from './deliveries/delivery.dto';
import { EventDto, EventListDto, ListEventsQuery } from './dto/event.dto';
import { EventsService } from './events.service';
import { SentOnRequestGuard } from './deliveries/sent-on-request.guard';

@ApiTags('Events')
@Controller('api/v1/public/events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @LeastRole('viewer')
  @LongWork()
  @ApiOperation({
    summary: 'List the events',
    description:
      'Newest first. `session.started` is recorded only while a webhook names it. Events are kept for 30 days, unless the ' +
      'operator chose another time.',
  })
  @ApiOkResponse({ type: EventListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: ListEventsQuery): Promise<EventListDto> {
    return EventListDto.of(await this.events.list(tenant, query));
  }

  @Get(':id')
  @LeastRole('viewer')
  @ApiOperation({ summary: 'Read an event', description: 'With its body, and how it was delivered to each webhook.' })
  @ApiOkResponse({ type: EventDto })
  async get(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<EventDto> {
    return EventDto.ofRecord(await this.events.get(tenant, id));
  }

  @Post(':id/redeliver')
  @LeastRole('owner')
  @HttpCode(202)
  @UseGuards(SentOnRequestGuard)
  @ApiOperation({
    summary: 'Send an event again',
    description:
      'To every enabled webhook that asks for its type, also where it was delivered before; a `test` to its own webhook. The ' +
      'order of the events of a session is not kept. For many events, `recover` is one request.',
  })
  @ApiAcceptedResponse({ type: QueuedDeliveriesDto })
  @ApiProblems('sends_nothing')
  async redeliver(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<QueuedDeliveriesDto> {
    return { deliveries: await this.events.redeliver(tenant, id) };
  }
}
