import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto } from '../../platform/api/changed.dto';
import { PathId } from '../../platform/api/path-id';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ChangesPipe } from '../../platform/api/fields/validation';
import { WithETag, WithIfMatch } from '../../platform/http/server/etag-headers';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ApiPublishing, PublishDto } from '../../tenancy/versions/versions.dto';
import { ApiDraftChanges, FlowDraftDto, PublishedDto, UpdateFlowDraftDto } from '../dto/flow-draft.dto';
import { FlowBody } from '../flow-body';
import { FlowVersions } from './flow-versions.service';

@ApiTags('Flows')
@Controller('api/v1/public/flows/:id/draft')
export class FlowDraftsController {
  constructor(private readonly versions: FlowVersions) {}

  @Get()
  @LeastRole('viewer')
  @WithETag({ moves: true })
  @ApiOperation({
    operationId: 'flows_draft',
    summary: 'Read the draft of a flow',
    description: 'What is being edited beside what is live. 404 if there is none.',
  })
  @ApiOkResponse({ type: FlowDraftDto })
  get(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<FlowDraftDto> {
    return this.versions.draft(tenant, id);
  }

  @Put()
  @LeastRole('editor')
  @WithIfMatch('the draft, or of the flow if it has no draft,')
  @WithETag({ moves: true })
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
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdateFlowDraftDto,
  ): Promise<FlowDraftDto> {
    return this.versions.saveDraft(tenant, id, changes);
  }

  @Delete()
  @LeastRole('editor')
  @WithIfMatch('the draft')
  @ApiOperation({
    operationId: 'flows_deleteDraft',
    summary: 'Delete the draft of a flow',
    description: 'The flow stays as it is live.',
  })
  @ApiOkResponse({ type: DeletedDto })
  async delete(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<DeletedDto> {
    await this.versions.deleteDraft(tenant, id);
    return { deleted: true, id };
  }

  @Post('publish')
  @LeastRole('editor')
  @WithIfMatch('the draft')
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
  publish(@CurrentTenant() tenant: Tenant, @PathId() id: string, @Body() body: PublishDto): Promise<PublishedDto> {
    return this.versions.publishDraft(tenant, id, body);
  }
}
