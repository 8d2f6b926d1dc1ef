import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../common/ids';
import { WithApiKey, WorkspaceId } from '../workspaces/access';
import { FlowStatsDto, StatsQuery, WorkspaceStatsDto } from './dto/stats.dto';
import { StatsService } from './stats.service';

@ApiTags('Statistics')
@WithApiKey()
@Controller('api/v1/public')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get('flows/:id/stats')
  @ApiOperation({
    operationId: 'flows_stats',
    summary: 'Read the statistics of a flow',
    description:
      'What became of the sessions that began in the last 30 days, or from `from` (inclusive) to `to` (exclusive).',
  })
  @ApiOkResponse({ type: FlowStatsDto })
  ofFlow(@WorkspaceId() workspaceId: string, @PathId() id: string, @Query() query: StatsQuery): Promise<FlowStatsDto> {
    return this.stats.ofFlow(workspaceId, id, query);
  }

  @Get('stats')
  @ApiOperation({
    operationId: 'workspace_stats',
    summary: 'Read the statistics of the workspace, in all and by flow',
    description:
      'What became of the sessions that began in the last 30 days, or from `from` (inclusive) to `to` (exclusive).',
  })
  @ApiOkResponse({ type: WorkspaceStatsDto })
  ofWorkspace(@WorkspaceId() workspaceId: string, @Query() query: StatsQuery): Promise<WorkspaceStatsDto> {
    return this.stats.ofWorkspace(workspaceId, query);
  }
}
