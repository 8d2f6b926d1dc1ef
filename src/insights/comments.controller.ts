import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { WithApiKey, WorkspaceId } from '../workspaces/access';
import { CommentsService } from './comments.service';
import { ABOUT_CSV, ApiCsv, csvFile } from './csv';
import { COMMENT_COLUMNS, EXAMPLE_COMMENT } from './csv-columns';
import { CommentListDto, ExportCommentsQuery, ListCommentsQuery } from './dto/comments.dto';

@ApiTags('Sessions')
@WithApiKey()
@Controller('api/v1/public')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get('comments')
  @ApiOperation({
    summary: 'List what customers wrote',
    description:
      'The comments on answers of all sessions: those of the newest session first, and of one session the last first. ' +
      'Comments of erased customers are gone.',
  })
  @ApiOkResponse({ type: CommentListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() query: ListCommentsQuery): Promise<CommentListDto> {
    return CommentListDto.of(await this.comments.list(workspaceId, query));
  }

  @Get('comments.csv')
  @ApiOperation({
    summary: 'Download what customers wrote',
    description: `The list of comments as a file for spreadsheets, whole and in the same order. ${ABOUT_CSV}`,
  })
  @ApiCsv(COMMENT_COLUMNS, EXAMPLE_COMMENT)
  csv(@WorkspaceId() workspaceId: string, @Query() query: ExportCommentsQuery): Promise<StreamableFile> {
    return csvFile('comments', COMMENT_COLUMNS, this.comments.all(workspaceId, query));
  }
}
