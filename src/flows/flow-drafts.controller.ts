import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto } from '../common/changed.dto';
import { PathId } from '../common/ids';
import { ApiProblems } from '../common/problem.dto';
import { ChangesPipe } from '../common/validation';
import { IfMatch, WithETag } from '../http/etag';
import type { Actor } from '../workspaces/actor';
import { CurrentActor, LeastRole, WorkspaceId } from '../workspaces/access';
import { ApiDraftChanges, ApiPublishing, FlowDraftDto, PublishDto } from './dto/flow-draft.dto';
import { PublishedDto, UpdateFlowDraftDto } from './dto/flow-draft.dto';
import { FlowBody } from './flow-body';
import { FlowDrafts } from './flow-drafts.service';

@ApiTags('Flows')
@Controller('api/v1/public/flows/:id/draft')
export class FlowDraftsController {
  constructor(private readonly drafts: FlowDrafts) {}

  @Get()
  @LeastRole('viewer')
  @WithETag()
  @ApiOperation({
    operationId: 'flows_draft',
    summary: 'Read the draft of a flow',
    description: 'What is being edited beside what is live. 404 if there is none.',
  })
  @ApiOkResponse({ type: FlowDraftDto })
  get(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<FlowDraftDto> {
    return this.drafts.get(workspaceId, id);
  }

  @Put()
  @LeastRole('editor')
  @WithETag()
  @ApiOperation({
    operationId: 'flows_saveDraft',
    summary: 'Change the draft of a flow',
    description:
      'Send the fields to change; the others stay as they are. The first change copies what is live. Customers see nothing of ' +
      'it. A graph with faults is kept, and the response names them.',
  })
  @FlowBody()
  @ApiDraftChanges()
  @ApiOkResponse({ type: FlowDraftDto })
  save(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdateFlowDraftDto,
    @IfMatch('the draft, or of the flow if it has no draft,') ifMatch?: IfMatch,
  ): Promise<FlowDraftDto> {
    return this.drafts.save(workspaceId, id, changes, actor, ifMatch);
  }

  @Delete()
  @LeastRole('editor')
  @ApiOperation({
    operationId: 'flows_deleteDraft',
    summary: 'Delete the draft of a flow',
    description: 'The flow stays as it is live.',
  })
  @ApiOkResponse({ type: DeletedDto })
  async delete(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
    @IfMatch('the draft') ifMatch?: IfMatch,
  ): Promise<DeletedDto> {
    await this.drafts.delete(workspaceId, id, actor, ifMatch);
    return { deleted: true, id };
  }

  @Post('publish')
  @LeastRole('editor')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'flows_publishDraft',
    summary: 'Publish the draft of a flow',
    description:
      'Makes it the next version, and removes the draft: new sessions begin with it, sessions under way keep theirs. The `status` ' +
      'of the flow stays as it is. If another version went live after the draft was begun, send the `ETag` of the draft as it ' +
      'is now: then you have seen that.',
  })
  @ApiPublishing()
  @ApiOkResponse({ type: PublishedDto })
  @ApiProblems('draft_has_faults', 'version_changed', 'version_limit_reached', 'workspace_version_limit_reached')
  publish(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
    @Body() body: PublishDto,
    @IfMatch('the draft') ifMatch?: IfMatch,
  ): Promise<PublishedDto> {
    return this.drafts.publish(workspaceId, id, body, actor, ifMatch);
  }
}
