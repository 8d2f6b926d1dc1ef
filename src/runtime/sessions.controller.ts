import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../common/ids';
import { pageOf } from '../common/pagination';
import { WithApiKey, WorkspaceId } from '../workspaces/access';
import {
  CustomerParams,
  ErasedDto,
  ListSessionsQuery,
  SessionListDto,
  SessionListItemDto,
  SessionRecordDto,
} from './dto/sessions.dto';
import { SessionsService } from './sessions.service';

@ApiTags('Sessions')
@WithApiKey()
@Controller('api/v1/public')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get('sessions')
  @ApiOperation({
    summary: 'List the sessions',
    description: 'Newest first. With several filters, a session has to match them all.',
  })
  @ApiOkResponse({ type: SessionListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() query: ListSessionsQuery): Promise<SessionListDto> {
    const { items, next_cursor } = pageOf(await this.sessions.list(workspaceId, query), query.limit);
    return { sessions: items.map((session) => SessionListItemDto.of(session)), next_cursor };
  }

  @Get('sessions/:id')
  @ApiOperation({
    summary: 'Read a session with its steps',
    description: 'What the customer was shown and did, and what the embedding site told about them.',
  })
  @ApiOkResponse({ type: SessionRecordDto })
  async get(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<SessionRecordDto> {
    const { session, steps } = await this.sessions.get(workspaceId, id);
    return SessionRecordDto.of(session, steps);
  }

  @Delete('customers/:customer_id')
  @ApiOperation({
    summary: 'Erase a customer',
    description:
      'Erases what identifies the customer from every session: id, e-mail, attributes, comments, idempotency key and ' +
      'hash of the request. Comments of later steps are dropped. The sessions and the statistics stay. Of a customer ' +
      'of a hundred thousand sessions it may take longer than a request: 503. Send it again until it is 200.',
  })
  @ApiOkResponse({ type: ErasedDto })
  async erase(@WorkspaceId() workspaceId: string, @Param() { customer_id }: CustomerParams): Promise<ErasedDto> {
    return { erased: true, sessions: await this.sessions.erase(workspaceId, customer_id) };
  }
}
