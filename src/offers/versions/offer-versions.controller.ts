import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { WholePageQuery } from '../../platform/api/paging/pagination';
import { PathId } from '../../platform/api/path-id';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { WithIfMatch } from '../../platform/http/server/etag-headers';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { InTurn } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ApiPublishing, PathVersion, PublishDto, VersionListDto } from '../../tenancy/versions/versions.dto';
import { OfferVersionDto, PublishedOfferDto } from '../dto/offer-draft.dto';
import { OfferVersions } from './offer-versions.service';

@ApiTags('Offers')
@Controller('api/v1/public/offers/:id/versions')
export class OfferVersionsController {
  constructor(private readonly versions: OfferVersions) {}

  @Get()
  @LeastRole('viewer')
  @InTurn()
  @ApiOperation({
    operationId: 'offers_versions',
    summary: 'List the versions of an offer',
    description: 'Newest first.',
  })
  @ApiOkResponse({ type: VersionListDto })
  async list(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Query() query: WholePageQuery,
  ): Promise<VersionListDto> {
    return VersionListDto.of(await this.versions.list(tenant, id, query));
  }

  @Get(':version')
  @LeastRole('viewer')
  @ApiOperation({
    operationId: 'offers_version',
    summary: 'Read a version of an offer',
    description: 'A version never changes.',
  })
  @ApiOkResponse({ type: OfferVersionDto })
  async get(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @PathVersion() version: string,
  ): Promise<OfferVersionDto> {
    return OfferVersionDto.of(await this.versions.get(tenant, id, Number(version)));
  }

  @Post(':version/restore')
  @LeastRole('editor')
  @WithIfMatch('the offer')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'offers_restore',
    summary: 'Restore a version of an offer',
    description:
      'Makes a new version with its content: customers who come to the offer from now on see it. The draft and the `status` of ' +
      'the offer stay as they are.',
  })
  @ApiPublishing()
  @ApiOkResponse({ type: PublishedOfferDto })
  @ApiProblems('version_limit_reached', 'workspace_version_limit_reached')
  restore(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @PathVersion() version: string,
    @Body() body: PublishDto,
  ): Promise<PublishedOfferDto> {
    return this.versions.restore(tenant, id, Number(version), body);
  }
}
