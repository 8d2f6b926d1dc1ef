import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ArchivedDto } from '../platform/api/changed.dto';
import { PathId } from '../platform/api/path-id';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { ChangesPipe } from '../platform/api/fields/validation';
import { CreatedAt } from '../platform/http/server/created-at';
import { Idempotent } from '../platform/http/bodies/idempotent-creation';
import { WithETag, WithIfMatch, WithNewETag } from '../platform/http/server/etag-headers';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { CreateFlowDto, UpdateFlowDto } from './dto/change-flow.dto';
import { ApiFlowChanges, ApiNewFlow } from './dto/flow-examples';
import { CreatedFlowDto, FlowDto, FlowListDto, ListFlowsQuery, UpdatedFlowDto } from './dto/flow.dto';
import { FlowBody } from './flow-body';
import { FlowsService } from './flows.service';

@ApiTags('Flows')
@Controller('api/v1/public/flows')
export class FlowsController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({ summary: 'List the flows', description: 'Newest first; archived ones only with `status=archived`.' })
  @ApiOkResponse({ type: FlowListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: ListFlowsQuery): Promise<FlowListDto> {
    return FlowListDto.of(await this.flows.list(tenant, query));
  }

  @Post()
  @LeastRole('editor')
  @Idempotent()
  @ApiOperation({
    summary: 'Create a flow',
    description:
      'A new flow is a draft, unless `status` says that it is published. Publish a draft with `PUT` and `{"status": "published"}`.',
  })
  @FlowBody()
  @ApiNewFlow()
  @ApiCreatedResponse({ type: CreatedFlowDto })
  @ApiProblems('conflict', 'key_taken', 'slug_taken', 'flow_limit_reached', 'workspace_version_limit_reached')
  @CreatedAt('/api/v1/public/flows/:id')
  create(@CurrentTenant() tenant: Tenant, @Body() body: CreateFlowDto): Promise<CreatedFlowDto> {
    return this.flows.create(tenant, body);
  }

  @Get(':id')
  @LeastRole('viewer')
  @WithETag()
  @ApiOperation({ summary: 'Read a flow', description: 'Its current version, with the graph; also when archived.' })
  @ApiOkResponse({ type: FlowDto })
  get(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<FlowDto> {
    return this.flows.get(tenant, id);
  }

  @Put(':id')
  @LeastRole('editor')
  @WithIfMatch('the flow')
  @WithNewETag()
  @ApiOperation({
    summary: 'Change a flow',
    description:
      'Send the fields to change; the others stay as they are, and `null` clears an optional one. A change to a ' +
      'field that versions have makes a new version: new sessions begin with it, sessions under way keep theirs.',
  })
  @FlowBody()
  @ApiFlowChanges()
  @ApiOkResponse({ type: UpdatedFlowDto })
  @ApiProblems('key_taken', 'version_limit_reached', 'workspace_version_limit_reached')
  async update(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdateFlowDto,
  ): Promise<UpdatedFlowDto> {
    return { updated: true, id, ...(await this.flows.update(tenant, id, changes)) };
  }

  @Delete(':id')
  @LeastRole('editor')
  @WithIfMatch('the flow')
  @ApiOperation({ summary: 'Archive a flow', description: 'No new session can start on it; sessions under way go on.' })
  @ApiOkResponse({ type: ArchivedDto })
  async archive(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<ArchivedDto> {
    await this.flows.archive(tenant, id);
    return { archived: true, id };
  }
}
