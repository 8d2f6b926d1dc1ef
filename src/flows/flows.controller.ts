import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ArchivedDto, UpdatedDto } from '../common/changed.dto';
import { PathId } from '../common/ids';
import { ApiProblems } from '../common/problem.dto';
import { ChangesPipe } from '../common/validation';
import { CreatedAt } from '../http/created-at';
import { IdempotentRequest } from '../http/idempotency-key';
import { WithApiKey, WorkspaceId } from '../workspaces/access';
import { ApiFlowChanges, ApiNewFlow, CreateFlowDto, UpdateFlowDto } from './dto/change-flow.dto';
import { CreatedFlowDto, FlowDto, FlowListDto, ListFlowsQuery } from './dto/flow.dto';
import { FlowVersionDto, FlowVersionListDto, PathVersion } from './dto/flow-version.dto';
import { FlowsService } from './flows.service';

@ApiTags('Flows')
@WithApiKey()
@Controller('api/v1/public/flows')
export class FlowsController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @ApiOperation({ summary: 'List the flows', description: 'Newest first; archived ones only with `status=archived`.' })
  @ApiOkResponse({ type: FlowListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() query: ListFlowsQuery): Promise<FlowListDto> {
    return FlowListDto.of(await this.flows.list(workspaceId, query));
  }

  @Post()
  @ApiOperation({
    summary: 'Create a flow',
    description: 'A new flow is a draft. Publish it with `PUT` and `{"status": "published"}`.',
  })
  @ApiNewFlow()
  @ApiCreatedResponse({ type: CreatedFlowDto })
  @ApiProblems('conflict')
  @CreatedAt('/api/v1/public/flows/:id')
  create(
    @WorkspaceId() workspaceId: string,
    @Body() body: CreateFlowDto,
    @IdempotentRequest() idempotent?: IdempotentRequest,
  ): Promise<CreatedFlowDto> {
    return this.flows.create(workspaceId, body, idempotent);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a flow', description: 'Its current version, with the graph; also when archived.' })
  @ApiOkResponse({ type: FlowDto })
  async get(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<FlowDto> {
    return FlowDto.of(await this.flows.get(workspaceId, id));
  }

  @Get(':id/versions')
  @ApiOperation({ summary: 'List the versions of a flow', description: 'The newest 500. Read older ones by number.' })
  @ApiOkResponse({ type: FlowVersionListDto })
  async versions(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<FlowVersionListDto> {
    return FlowVersionListDto.of(await this.flows.versions(workspaceId, id));
  }

  @Get(':id/versions/:version')
  @ApiOperation({ summary: 'Read a version of a flow', description: 'A version never changes.' })
  @ApiOkResponse({ type: FlowVersionDto })
  async version(
    @WorkspaceId() workspaceId: string,
    @PathId() id: string,
    @PathVersion() version: string,
  ): Promise<FlowVersionDto> {
    return FlowVersionDto.of(await this.flows.version(workspaceId, id, Number(version)));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a flow',
    description:
      'Send the fields to change; the others stay as they are, and `null` clears an optional one. A change to `name`, ' +
      '`product_name`, `cancellation_url`, `flow_mode`, `offer_ids` or `definition` makes a new version: new sessions begin with it, ' +
      'sessions under way keep theirs.',
  })
  @ApiFlowChanges()
  @ApiOkResponse({ type: UpdatedDto })
  async update(
    @WorkspaceId() workspaceId: string,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdateFlowDto,
  ): Promise<UpdatedDto> {
    await this.flows.update(workspaceId, id, changes);
    return { updated: true, id };
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Archive a flow', description: 'No new session can start on it; sessions under way go on.' })
  @ApiOkResponse({ type: ArchivedDto })
  async archive(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<ArchivedDto> {
    await this.flows.archive(workspaceId, id);
    return { archived: true, id };
  }
}
