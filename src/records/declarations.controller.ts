import { Body, Controller, Delete, Get, Put, Query, type StreamableFile, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../platform/api/path-id';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { LongWork } from '../tenancy/access/management-turns';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { ABOUT_CSV, ApiCsv, csvFile } from './downloads/csv';
import { DECLARATION_COLUMNS, EXAMPLE_DECLARATION } from './downloads/declaration-columns';
import { DeclarationRecords } from './declaration-records.service';
import { DownloadSlots } from './downloads/downloads';
import {
  ApiDeclarationChange,
  ChangeDeclarationDto,
  DeclarationListDto,
  DeclarationRecordDto,
  ErasedDeclarationDto,
  ExportDeclarationsQuery,
  ListDeclarationsQuery,
} from './dto/declarations.dto';

@ApiTags('Declarations')
@Controller('api/v1/public')
export class DeclarationsController {
  constructor(private readonly declarations: DeclarationRecords) {}

  @Get('declarations')
  @LeastRole('viewer')
  @LongWork()
  @ApiOperation({
    summary: 'List the declarations',
    description:
      'Newest first. With several filters, a declaration has to match them all. Old ones are deleted after 36 months.',
  })
  @ApiOkResponse({ type: DeclarationListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: ListDeclarationsQuery): Promise<DeclarationListDto> {
    return DeclarationListDto.of(await this.declarations.list(tenant, query));
  }

  @Get('declarations.csv')
  @LeastRole('viewer')
  @LongWork()
  @ApiOperation({
    summary: 'Download the declarations',
    description: `The list of declarations as a file for spreadsheets, whole and in the same order. ${ABOUT_CSV}`,
  })
  @UseGuards(DownloadSlots)
  @ApiCsv(DECLARATION_COLUMNS, EXAMPLE_DECLARATION)
  csv(@CurrentTenant() tenant: Tenant, @Query() query: ExportDeclarationsQuery): Promise<StreamableFile> {
    return csvFile('declarations', DECLARATION_COLUMNS, this.declarations.all(tenant, query));
  }

  @Get('declarations/:id')
  @LeastRole('viewer')
  @ApiOperation({
    summary: 'Read a declaration with its evidence',
    description: 'What was sent, the words of the page, the version of the flow, and when it came.',
  })
  @ApiOkResponse({ type: DeclarationRecordDto })
  async get(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<DeclarationRecordDto> {
    return DeclarationRecordDto.ofRecord(await this.declarations.get(tenant, id));
  }

  @Put('declarations/:id')
  @LeastRole('editor')
  @ApiOperation({
    operationId: 'declarations_change',
    summary: 'Note that a declaration is done',
    description:
      'Says that your team has done what was declared, or, with false, that it has not. The evidence stays as it is. The log of ' +
      'changes has who said so.',
  })
  @ApiDeclarationChange()
  @ApiOkResponse({ type: DeclarationRecordDto })
  async change(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body() { done }: ChangeDeclarationDto,
  ): Promise<DeclarationRecordDto> {
    return DeclarationRecordDto.ofRecord(await this.declarations.setDone(tenant, id, done));
  }

  @Delete('declarations/:id')
  @LeastRole('owner')
  @ApiOperation({
    operationId: 'declarations_erase',
    summary: 'Erase a declaration',
    description:
      'Erases name, e-mail address and reason, also from deliveries, and the link to the receipt. The number, the contract, what was ' +
      'declared and when stay until the declaration is deleted: they are the evidence.',
  })
  @ApiOkResponse({ type: ErasedDeclarationDto })
  async erase(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<ErasedDeclarationDto> {
    await this.declarations.erase(tenant, id);
    return { erased: true, id };
  }
}
