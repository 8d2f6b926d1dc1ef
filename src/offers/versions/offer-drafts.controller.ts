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
import { ApiOfferDraftChanges, OfferDraftDto, PublishedOfferDto, UpdateOfferDraftDto } from '../dto/offer-draft.dto';
import { OfferVersions } from './offer-versions.service';

@ApiTags('Offers')
@Controller('api/v1/public/offers/:id/draft')
export class OfferDraftsController {
  constructor(private readonly versions: OfferVersions) {}

  @Get()
  @LeastRole('viewer')
  @WithETag({ moves: true })
  @ApiOperation({
    operationId: 'offers_draft',
    summary: 'Read the draft of an offer',
    description: 'What is being edited beside what is live. 404 if there is none.',
  })
  @ApiOkResponse({ type: OfferDraftDto })
  get(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<OfferDraftDto> {
    return this.versions.draft(tenant, id);
  }

  @Put()
  @LeastRole('editor')
  @WithIfMatch('the draft, or of the offer if it has no draft,')
  @WithETag({ moves: true })
  @ApiOperation({
    operationId: 'offers_saveDraft',
    summary: 'Change the draft of an offer',
    description:
      'Send the fields to change; the others stay as they are. The first change copies what is live. Customers see nothing of ' +
      'it. Terms that do not fit the type are kept, and so are translations with other placeholders: the response names them.',
  })
  @ApiOfferDraftChanges()
  @ApiOkResponse({ type: OfferDraftDto })
  save(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdateOfferDraftDto,
  ): Promise<OfferDraftDto> {
    return this.versions.saveDraft(tenant, id, changes);
  }

  @Delete()
  @LeastRole('editor')
  @WithIfMatch('the draft')
  @ApiOperation({
    operationId: 'offers_deleteDraft',
    summary: 'Delete the draft of an offer',
    description: 'The offer stays as it is live.',
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
    operationId: 'offers_publishDraft',
    summary: 'Publish the draft of an offer',
    description:
      'Makes it the next version, and removes the draft: customers who come to the offer from now on see it. 400 with a pointer ' +
      'to each fault. If another version went live after the draft was begun, send the `ETag` of the draft as it is now: then ' +
      'you have seen that.',
  })
  @ApiPublishing()
  @ApiOkResponse({ type: PublishedOfferDto })
  @ApiProblems('version_changed', 'version_limit_reached', 'workspace_version_limit_reached')
  publish(@CurrentTenant() tenant: Tenant, @PathId() id: string, @Body() body: PublishDto): Promise<PublishedOfferDto> {
    return this.versions.publishDraft(tenant, id, body);
  }
}
