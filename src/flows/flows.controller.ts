import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ArchivedDto } from '../common/changed.dto';
import { PathId } from '../common/ids';
import { ApiProblems } from '../common/problem.dto';
import { ChangesPipe } from '../common/validation';
import { CreatedAt } from '../http/created-at';
import { IdempotentRequest } from '../http/idempotent-creation';
import { IfMatch, WithETag } from '../http/etag';
import type { Actor } from '../workspaces/actor';
import { CurrentActor, LeastRole, WorkspaceId } from '../workspaces/access';
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
  async list(@WorkspaceId() workspaceId: string, @Query() query: ListFlowsQuery): Promise<FlowListDto> {
    return FlowListDto.of(await this.flows.list(workspaceId, query));
  }

  @Post()
  @LeastRole('editor')
  @ApiOperation({
    summary: 'Create a flow',
    description: 'A new flow is a draft. Publish it with `PUT` and `{"status": "published"}`.',
  })
  @FlowBody()
  @ApiNewFlow()
  @ApiCreatedResponse({ type: CreatedFlowDto })
  @ApiProblems('conflict', 'key_taken', 'slug_taken', 'flow_limit_reached', 'workspace_version_limit_reached')
  @CreatedAt('/api/v1/public/flows/:id')
  create(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @Body() body: CreateFlowDto,
    @IdempotentRequest() idempotent?: IdempotentRequest,
  ): Promise<CreatedFlowDto> {
    return this.flows.create(workspaceId, body, actor, idempotent);
  }

  @Get(':id')
  @LeastRole('viewer')
  @WithETag()
  @ApiOperation({ summary: 'Read a flow', description: 'Its current version, with the graph; also when archived.' })
  @ApiOkResponse({ type: FlowDto })
  get(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<FlowDto> {
    return this.flows.get(workspaceId, id);
  }

  @Put(':id')
  @LeastRole('editor')
  @ApiOperation({
    summary: 'Change a flow',
    description:
      'Send the fields to change; the others stay as they are, and `null` clears an optional one. A change to `name`, ' +
      '`product_name`, `cancellation_url`, `flow_mode`, `offer_ids`, `survey`, `locale` or `definition` makes a new version: new sessions begin with it, ' +
      'sessions under way keep theirs.',
  })
  @FlowBody()
  @ApiFlowChanges()
  @ApiOkResponse({ type: UpdatedFlowDto })
  @ApiProblems('key_taken', 'version_limit_reached', 'workspace_version_limit_reached')
  async update(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdateFlowDto,
    @IfMatch('the flow') ifMatch?: IfMatch,
  ): Promise<UpdatedFlowDto> {
    return { updated: true, id, ...(await this.flows.update(workspaceId, id, changes, actor, ifMatch)) };
  }

  @Delete(':id')
  @LeastRole('editor')
  @ApiOperation({ summary: 'Archive a flow', description: 'No new session can start on it; sessions under way go on.' })
  @ApiOkResponse({ type: ArchivedDto })
  async archive(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
    @IfMatch('the flow') ifMatch?: IfMatch,
  ): Promise<ArchivedDto> {
    await this.flows.archive(workspaceId, id, actor, ifMatch);
    return { archived: true, id };
  }
}
