import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../common/ids';
import { CreatedAt } from '../../http/created-at';
import { IdempotentRequest } from '../../http/idempotency-key';
import { WithApiKey, WorkspaceId } from '../../workspaces/access';
import { StartedSessionDto } from '../start/start.dto';
import { PreviewsService } from './previews.service';

@ApiTags('Flows')
@WithApiKey()
@Controller('api/v1/public/flows')
export class PreviewsController {
  constructor(private readonly previews: PreviewsService) {}

  @Post(':id/preview')
  @ApiOperation({
    operationId: 'flows_preview',
    summary: 'Preview a flow',
    description:
      'Starts a walk through the current version of a flow, whatever its status: a draft can be seen before customers see ' +
      'it. The runtime routes take its `session_id` like that of a session, and the widget shows it with ' +
      '`show({ sessionId })`; so does the demo page, at `/demo?session=<session_id>`. A preview is no session: it is in no ' +
      'count, list or statistic, and no event or mail tells of it. Comments are not stored. It has no customer: conditions about attributes are false, and splits go by its `session_id`. It is gone after 24 hours, or ' +
      'when the workspace has 100 newer ones.',
  })
  @ApiCreatedResponse({ type: StartedSessionDto })
  @CreatedAt('/api/v1/runtime/session/:session_id')
  create(
    @WorkspaceId() workspaceId: string,
    @PathId() id: string,
    @IdempotentRequest() idempotent?: IdempotentRequest,
  ): Promise<StartedSessionDto> {
    return this.previews.create(workspaceId, id, idempotent);
  }
}
