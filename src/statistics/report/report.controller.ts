import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { Client, MayTake } from '../../platform/http/server/deadline';
import { ApiCsv, CSV_FORMAT, csvFile, pageOf } from '../../records/downloads/csv';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { LongWork } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { COUNTING_DEADLINE_MS } from '../counting/counting.service';
import { EXAMPLE_REPORT_LINE, linesOfReport, REPORT_COLUMNS } from './report-csv';
import { ReportDto, ReportQuery } from './report.dto';
import { ReportService } from './report.service';

@ApiTags('Statistics')
@Controller('api/v1/public')
export class ReportController {
  constructor(private readonly reports: ReportService) {}

  @Get('report')
  @LeastRole('viewer')
  @LongWork()
  @MayTake(COUNTING_DEADLINE_MS)
  @ApiProblems('too_many_sessions', 'not_found')
  @ApiOperation({
    operationId: 'workspace_report',
    summary: 'Read the report of a month',
    description:
      'The customers who came in the last whole month, or in some months, those who were saved, and the money that was kept: beside the ' +
      'months before and the same months of last year, by month, reason, offer and plan.',
  })
  @ApiOkResponse({ type: ReportDto })
  read(
    @CurrentTenant() tenant: Tenant,
    @Query() query: ReportQuery,
    @Client() client: AbortSignal,
  ): Promise<ReportDto> {
    return this.reports.read(tenant, query, client);
  }

  @Get('report.csv')
  @LeastRole('viewer')
  @LongWork()
  @MayTake(COUNTING_DEADLINE_MS)
  @ApiProblems('too_many_sessions', 'not_found')
  @ApiOperation({
    operationId: 'workspace_reportCsv',
    summary: 'Download the report of a month',
    description: `A line for each part of the report (\`of\`), and one more for each further currency, which has no counts. \`saved\` counts customers, but sessions of a \`reason\`; of an \`offer\`, \`sessions\` are those in which it was presented, and \`saved\` those in which it was accepted. ${CSV_FORMAT}`,
  })
  @ApiCsv(REPORT_COLUMNS, EXAMPLE_REPORT_LINE)
  async csv(
    @CurrentTenant() tenant: Tenant,
    @Query() query: ReportQuery,
    @Client() client: AbortSignal,
  ): Promise<StreamableFile> {
    const lines = linesOfReport(await this.reports.read(tenant, query, client));
    return csvFile('report', REPORT_COLUMNS, pageOf(lines));
  }
}
