import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../common/problem.dto';
import { Public } from '../workspaces/access';
import { InitSessionDto, StartedSessionDto } from './dto/init-session.dto';
import { SessionsService } from './sessions.service';
import { ApiStartHeaders, StartHeaders } from './start-headers';

@ApiTags('Runtime')
@Public()
@Controller('api/v1/runtime/session')
export class RuntimeController {
  constructor(private readonly sessions: SessionsService) {}

  @Post('init')
  @ApiOperation({
    summary: 'Start a session',
    description:
      'Called by the widget when a customer is about to leave. The session counts against the limit of the workspace, ' +
      'and stays on the version that the flow has now. When none can start, 403 and 404 carry the `cancellation_url` of a ' +
      'flow that was ever published, so that the widget can let the customer go.',
  })
  @ApiStartHeaders()
  @ApiCreatedResponse({ type: StartedSessionDto })
  @ApiProblems(
    'origin_not_allowed',
    'session_limit_reached',
    'flow_not_found',
    'flow_not_published',
    'idempotency_key_reused',
  )
  init(@Body() body: InitSessionDto, @StartHeaders() headers: StartHeaders): Promise<StartedSessionDto> {
    return this.sessions.start(body, headers);
  }
}
