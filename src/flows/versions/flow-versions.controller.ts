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
import { PublishedDto } from '../dto/flow-draft.dto';
import { FlowVersionDto } from '../dto/flow.dto';
import { FlowVersions } from './flow-versions.service';

@ApiTags('Flows')
@Controller('api/v1/public/flows/:id/versions')
export class FlowVersionsController {
  constructor(private readonly versions: FlowVersions) {}

  @Get()
  @LeastRole('viewer')
  @InTurn()
  @ApiOperation({
    operationId: 'flows_versions',
    summary: 'List the versions of a flow',
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
    operationId: 'flows_version',
    summary: 'Read a version of a flow',
    description: 'A version never changes.',
  })
  @ApiOkResponse({ type: FlowVersionDto })
  async get(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @PathVersion() version: string,
  ): Promise<FlowVersionDto> {
    return FlowVersionDto.of(await this.versions.get(tenant, id, Number(version)));
  }

  @Post(':version/restore')
  @LeastRole('editor')
  @WithIfMatch('the flow')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'flows_restore',
    summary: 'Restore a version of a flow',
    description:
      'Makes a new version with its content, and the audiences as they are now: new sessions begin with it, sessions under way keep theirs. The draft and the ' +
      '`status` of the flow stay as they are.',
  })
  @ApiPublishing()
  @ApiOkResponse({ type: PublishedDto })
  @ApiProblems('version_limit_reached', 'workspace_version_limit_reached')
  restore(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @PathVersion() version: string,
    @Body() body: PublishDto,
  ): Promise<PublishedDto> {
    return this.versions.restore(tenant, id, Number(version), body);
  }
}
