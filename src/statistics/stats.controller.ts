import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../platform/api/path-id';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { Client, MayTake } from '../platform/http/server/deadline';
import { ApiCsv, CSV_FORMAT, csvFile, pageOf } from '../records/downloads/csv';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { LongWork } from '../tenancy/access/management-turns';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { COUNTING_DEADLINE_MS } from './counting/counting.service';
import { FlowNodeStatsDto, FlowNodeStatsQuery } from './dto/nodes.dto';
import {
  DailyStatsDto,
  FlowStatsDto,
  FlowStatsQuery,
  StatsQuery,
  WorkspaceStatsDto,
  WorkspaceStatsQuery,
} from './dto/stats.dto';
import { EXAMPLE_LINE, linesOfFlow, linesOfWorkspace, STATS_COLUMNS } from './stats-csv';
import { StatsService } from './stats.service';
import { MAX_PERIODS } from './sums/intervals';

const SPAN =
  'What became of the sessions that began in the last 30 days and today, or from `from` (inclusive) to `to` (exclusive).';
const BY_DAY = `Sessions by the day (UTC) on which they began, over at most ${MAX_PERIODS} days. The days add up to the statistics of the same span.`;

const AS_CSV =
  'A line for each of them (`of`), and one more for each further currency, which has no counts, so that a column can be added up. Rates, ' +
  `amounts and arms are as in the statistics. ${CSV_FORMAT}`;

@ApiTags('Statistics')
@Controller('api/v1/public')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get('flows/:id/stats')
  @LeastRole('viewer')
  @LongWork()
  @MayTake(COUNTING_DEADLINE_MS)
  @ApiProblems('too_many_sessions', 'not_found')
  @ApiOperation({ operationId: 'flows_stats', summary: 'Read the statistics of a flow', description: SPAN })
  @ApiOkResponse({ type: FlowStatsDto })
  ofFlow(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Query() query: FlowStatsQuery,
    @Client() client: AbortSignal,
  ): Promise<FlowStatsDto> {
    return this.stats.ofFlow(tenant, id, query, client);
  }

  @Get('flows/:id/stats.csv')
  @LeastRole('viewer')
  @LongWork()
  @MayTake(COUNTING_DEADLINE_MS)
  @ApiProblems('too_many_sessions', 'not_found')
  @ApiOperation({
    operationId: 'flows_statsCsv',
    summary: 'Read the statistics of a flow as CSV',
    description: `The flow, its periods with \`interval\`, reasons, offers and arms. ${AS_CSV}`,
  })
  @ApiCsv(STATS_COLUMNS, EXAMPLE_LINE)
  async csvOfFlow(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Query() query: WorkspaceStatsQuery,
    @Client() client: AbortSignal,
  ): Promise<StreamableFile> {
    const lines = linesOfFlow(await this.stats.ofFlow(tenant, id, query, client));
    return csvFile('statistics', STATS_COLUMNS, pageOf(lines));
  }

  @Get('flows/:id/stats/daily')
  @LeastRole('viewer')
  @LongWork()
  @MayTake(COUNTING_DEADLINE_MS)
  @ApiProblems('too_many_sessions', 'not_found')
  @ApiOperation({
    operationId: 'flows_statsDaily',
    summary: 'Read the statistics of a flow by day',
    description: BY_DAY,
  })
  @ApiOkResponse({ type: DailyStatsDto })
  dailyOfFlow(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Query() query: StatsQuery,
    @Client() client: AbortSignal,
  ): Promise<DailyStatsDto> {
    return this.stats.dailyOfFlow(tenant, id, query, client);
  }

  @Get('flows/:id/stats/nodes')
  @LeastRole('viewer')
  @LongWork()
  @MayTake(COUNTING_DEADLINE_MS)
  @ApiProblems('too_many_sessions', 'not_found')
  @ApiOperation({
    operationId: 'flows_statsNodes',
    summary: 'Read the statistics of a flow by node',
    description:
      'How the sessions of one version went through its nodes: how many came to each, where they went on, and where they ' +
      'stopped. Of the sessions that began in the last 30 days and today, or from `from` (inclusive) to `to` (exclusive).',
  })
  @ApiOkResponse({ type: FlowNodeStatsDto })
  nodesOfFlow(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Query() query: FlowNodeStatsQuery,
    @Client() client: AbortSignal,
  ): Promise<FlowNodeStatsDto> {
    return this.stats.nodesOfFlow(tenant, id, query, client);
  }

  @Get('stats')
  @LeastRole('viewer')
  @LongWork()
  @MayTake(COUNTING_DEADLINE_MS)
  @ApiProblems('too_many_sessions', 'not_found')
  @ApiOperation({
    operationId: 'workspace_stats',
    summary: 'Read the statistics of the workspace, in all and by flow',
    description: SPAN,
  })
  @ApiOkResponse({ type: WorkspaceStatsDto })
  ofWorkspace(
    @CurrentTenant() tenant: Tenant,
    @Query() query: WorkspaceStatsQuery,
    @Client() client: AbortSignal,
  ): Promise<WorkspaceStatsDto> {
    return this.stats.ofWorkspace(tenant, query, client);
  }

  @Get('stats.csv')
  @LeastRole('viewer')
  @LongWork()
  @MayTake(COUNTING_DEADLINE_MS)
  @ApiProblems('too_many_sessions', 'not_found')
  @ApiOperation({
    operationId: 'workspace_statsCsv',
    summary: 'Read the statistics of the workspace as CSV',
    description: `The workspace, its periods with \`interval\`, and its flows. ${AS_CSV}`,
  })
  @ApiCsv(STATS_COLUMNS, EXAMPLE_LINE)
  async csvOfWorkspace(
    @CurrentTenant() tenant: Tenant,
    @Query() query: WorkspaceStatsQuery,
    @Client() client: AbortSignal,
  ): Promise<StreamableFile> {
    const lines = linesOfWorkspace(await this.stats.ofWorkspace(tenant, query, client));
    return csvFile('statistics', STATS_COLUMNS, pageOf(lines));
  }

  @Get('stats/daily')
  @LeastRole('viewer')
  @LongWork()
  @MayTake(COUNTING_DEADLINE_MS)
  @ApiProblems('too_many_sessions', 'not_found')
  @ApiOperation({
    operationId: 'workspace_statsDaily',
    summary: 'Read the statistics of the workspace by day',
    description: BY_DAY,
  })
  @ApiOkResponse({ type: DailyStatsDto })
  dailyOfWorkspace(
    @CurrentTenant() tenant: Tenant,
    @Query() query: StatsQuery,
    @Client() client: AbortSignal,
  ): Promise<DailyStatsDto> {
    return this.stats.dailyOfWorkspace(tenant, query, client);
  }
}
