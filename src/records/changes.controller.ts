import { Controller, Get, Query, type StreamableFile, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { LongWork } from '../tenancy/access/management-turns';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { ChangesService } from './changes.service';
import { ABOUT_CSV, ApiCsv, CHANGE_COLUMNS, csvFile, EXAMPLE_CHANGE } from './downloads/csv';
import { DownloadSlots } from './downloads/downloads';
import { ChangeListDto, ExportChangesQuery, ListChangesQuery } from './dto/changes.dto';

@ApiTags('Changes')
@Controller('api/v1/public')
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Get('changes')
  @LeastRole('viewer')
  @LongWork()
  @ApiOperation({
    summary: 'List who changed what',
    description:
      'Every change of flows, drafts, offers, webhooks, keys, people and the workspace, every customer who was erased, and ' +
      'every sign-in, newest first. Changes are kept for good, unless the operator chose a time.',
  })
  @ApiOkResponse({ type: ChangeListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: ListChangesQuery): Promise<ChangeListDto> {
    return ChangeListDto.of(await this.changes.list(tenant, query));
  }

  @Get('changes.csv')
  @LeastRole('viewer')
  @LongWork()
  @ApiOperation({
    summary: 'Download who changed what',
    description: `The list of changes as a file for spreadsheets, whole and in the same order. ${ABOUT_CSV}`,
  })
  @UseGuards(DownloadSlots)
  @ApiCsv(CHANGE_COLUMNS, EXAMPLE_CHANGE)
  csv(@CurrentTenant() tenant: Tenant, @Query() query: ExportChangesQuery): Promise<StreamableFile> {
    return csvFile('changes', CHANGE_COLUMNS, this.changes.all(tenant, query));
  }
}
