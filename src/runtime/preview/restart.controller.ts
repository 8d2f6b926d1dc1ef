import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../platform/api/path-id';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { Public, WorkspaceId } from '../../tenancy/access/api-key.guard';
import { shownSession } from '../shown-session';
import { SessionDto } from '../step/step.dto';
import { TenantGuard } from '../tenant.guard';
import { PreviewsService } from './previews.service';

@ApiTags('Runtime')
@Public()
@UseGuards(TenantGuard)
@Controller('api/v1/runtime/preview')
export class RestartController {
  constructor(private readonly previews: PreviewsService) {}

  @Post(':id/restart')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'runtime_restart',
    summary: 'Start a preview again',
    description:
      'Goes back to the first node, so that a preview can be walked through more than once until it is gone, 24 hours after it ' +
      'was created.',
  })
  @ApiOkResponse({ type: SessionDto })
  @ApiProblems('session_not_found')
  async restart(
    @WorkspaceId() workspaceId: string,
    @PathId('The `session_id` of a preview. A session is 404.') id: string,
  ): Promise<SessionDto> {
    return shownSession(await this.previews.restart(workspaceId, id));
  }
}
