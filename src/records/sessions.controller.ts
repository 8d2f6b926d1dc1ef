import { Controller, Get, Query, type StreamableFile, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../platform/api/path-id';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { LongWork } from '../tenancy/access/management-turns';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { ABOUT_CSV, ApiCsv, csvFile, EXAMPLE_SESSION, sessionColumns } from './downloads/csv';
import { DownloadSlots } from './downloads/downloads';
import { ExportSessionsQuery, ListSessionsQuery, SessionListDto } from './dto/sessions.dto';
import { SessionRecordDto } from './dto/session-record.dto';
import { SessionsService } from './sessions.service';

const EITHER_ID = 'The `id` of the record, or the `session_id` of the start (UUID). Any other value is 404.';

@ApiTags('Sessions')
@Controller('api/v1/public')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get('sessions')
  @LeastRole('viewer')
  @ApiProblems('not_found')
  @LongWork()
  @ApiOperation({
    summary: 'List the sessions',
    description:
      'Newest first. With several filters, a session has to match them all. To poll for changes, send `updated_since`: a ' +
      'session that changed several times since the last poll comes once, as it is now.',
  })
  @ApiOkResponse({ type: SessionListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: ListSessionsQuery): Promise<SessionListDto> {
    return SessionListDto.of(await this.sessions.list(tenant, query));
  }

  @Get('sessions.csv')
  @LeastRole('viewer')
  @ApiProblems('not_found')
  @LongWork()
  @ApiOperation({
    summary: 'Download the sessions',
    description:
      'All sessions that match the filters, newest first, as a file for spreadsheets. It has none that begin during the ' +
      'download. `flow_name` is the name of now. Up to 50 attributes have a column of their own: the most frequent in the ' +
      'newest 1,000 sessions of the flow and the span. Others are in `other_attributes`, as JSON. ' +
      ABOUT_CSV,
  })
  @UseGuards(DownloadSlots)
  @ApiCsv(sessionColumns(['plan']), EXAMPLE_SESSION)
  async csv(@CurrentTenant() tenant: Tenant, @Query() query: ExportSessionsQuery): Promise<StreamableFile> {
    const { attributes, pages } = await this.sessions.export(tenant, query);
    return csvFile('sessions', sessionColumns(attributes), pages);
  }

  @Get('sessions/:id')
  @LeastRole('viewer')
  @ApiOperation({
    summary: 'Read a session with its steps',
    description:
      'What the customer was shown and did, and what the embedding site said about them. A page may hand the `session_id` ' +
      'of its session to its backend, which finds the record here.',
  })
  @ApiOkResponse({ type: SessionRecordDto })
  async get(@CurrentTenant() tenant: Tenant, @PathId(EITHER_ID) id: string): Promise<SessionRecordDto> {
    return SessionRecordDto.ofRecord(await this.sessions.get(tenant, id));
  }
}
