import { Controller, Delete, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../common/ids';
import { WithApiKey, WorkspaceId } from '../workspaces/access';
import { ABOUT_CSV, ApiCsv, csvFile } from './csv';
import { EXAMPLE_SESSION, SESSION_COLUMNS } from './csv-columns';
import { CustomerParams, ErasedDto } from './dto/erased.dto';
import { ExportSessionsQuery, ListSessionsQuery, SessionListDto, SessionRecordDto } from './dto/sessions.dto';
import { ErasureService } from './erasure.service';
import { SessionsService } from './sessions.service';

const EITHER_ID = 'The `id` of the record, or the `session_id` of the start (UUID). Any other value is 404.';

@ApiTags('Sessions')
@WithApiKey()
@Controller('api/v1/public')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly erasure: ErasureService,
  ) {}

  @Get('sessions')
  @ApiOperation({
    summary: 'List the sessions',
    description:
      'Newest first. With several filters, a session has to match them all. To poll for changes, send `updated_since`: a ' +
      'session that changed several times since the last poll comes once, as it is now.',
  })
  @ApiOkResponse({ type: SessionListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() query: ListSessionsQuery): Promise<SessionListDto> {
    return SessionListDto.of(await this.sessions.list(workspaceId, query));
  }

  @Get('sessions.csv')
  @ApiOperation({
    summary: 'Download the sessions',
    description:
      'A file for spreadsheets, newest first, with no limit but the filters: each session that there is when the download ' +
      `begins comes once. ${ABOUT_CSV}`,
  })
  @ApiCsv(SESSION_COLUMNS, EXAMPLE_SESSION)
  csv(@WorkspaceId() workspaceId: string, @Query() query: ExportSessionsQuery): Promise<StreamableFile> {
    return csvFile('sessions', SESSION_COLUMNS, this.sessions.all(workspaceId, query));
  }

  @Get('sessions/:id')
  @ApiOperation({
    summary: 'Read a session with its steps',
    description:
      'What the customer was shown and did, and what the embedding site said about them. A page may hand the `session_id` ' +
      'of its session to its backend, which finds the record here.',
  })
  @ApiOkResponse({ type: SessionRecordDto })
  async get(@WorkspaceId() workspaceId: string, @PathId(EITHER_ID) id: string): Promise<SessionRecordDto> {
    return SessionRecordDto.ofRecord(await this.sessions.get(workspaceId, id));
  }

  @Delete('customers/:customer_id')
  @ApiOperation({
    operationId: 'customers_erase',
    summary: 'Erase a customer',
    description:
      'Erases what identifies the customer from every session: id, e-mail, attributes, comments, idempotency key and ' +
      'hash of the request. Comments of later steps are not stored. The sessions and the statistics stay. For a customer ' +
      'with 100,000 sessions it may take longer than a request: 503. Send it again until it is 200.',
  })
  @ApiOkResponse({ type: ErasedDto })
  async erase(@WorkspaceId() workspaceId: string, @Param() { customer_id }: CustomerParams): Promise<ErasedDto> {
    return ErasedDto.of(await this.erasure.erase(workspaceId, customer_id));
  }
}
