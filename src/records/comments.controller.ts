import { Controller, Get, Query, type StreamableFile, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { LongWork } from '../tenancy/access/management-turns';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { CommentsService } from './comments.service';
import { ABOUT_CSV, ApiCsv, csvFile, COMMENT_COLUMNS, EXAMPLE_COMMENT } from './downloads/csv';
import { DownloadSlots } from './downloads/downloads';
import { CommentListDto, ExportCommentsQuery, ListCommentsQuery } from './dto/comments.dto';

@ApiTags('Sessions')
@Controller('api/v1/public')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get('comments')
  @LeastRole('viewer')
  @ApiProblems('not_found')
  @LongWork()
  @ApiOperation({
    summary: 'List what customers wrote',
    description:
      'The comments on answers: the newest session first, and the last comment of a session first. ' +
      'Comments of erased customers are gone.',
  })
  @ApiOkResponse({ type: CommentListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: ListCommentsQuery): Promise<CommentListDto> {
    return CommentListDto.of(await this.comments.list(tenant, query));
  }

  @Get('comments.csv')
  @LeastRole('viewer')
  @ApiProblems('not_found')
  @LongWork()
  @ApiOperation({
    summary: 'Download what customers wrote',
    description: `The list of comments as a file for spreadsheets, whole and in the same order. ${ABOUT_CSV}`,
  })
  @UseGuards(DownloadSlots)
  @ApiCsv(COMMENT_COLUMNS, EXAMPLE_COMMENT)
  csv(@CurrentTenant() tenant: Tenant, @Query() query: ExportCommentsQuery): Promise<StreamableFile> {
    return csvFile('comments', COMMENT_COLUMNS, this.comments.all(tenant, query));
  }
}
