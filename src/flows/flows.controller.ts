import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ArchivedDto, UpdatedDto } from '../common/answers';
import { PathId } from '../common/ids';
import { ApiProblems } from '../common/problem.dto';
import { pageOf } from '../common/pagination';
import { integer } from '../common/schemas';
import { ChangesPipe } from '../common/validation';
import { WithApiKey, WorkspaceId } from '../workspaces/access';
import { CreateFlowDto, UpdateFlowDto } from './dto/change-flow.dto';
import { CreatedFlowDto, FlowDto, FlowListDto, ListFlowsQuery } from './dto/flow.dto';
import { FlowVersionDto, FlowVersionListDto, VersionPipe } from './dto/flow-version.dto';
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
    const { items, next_cursor } = pageOf(await this.flows.list(workspaceId, query), query.limit);
    return { flows: items, next_cursor };
  }

  @Post()
  @ApiOperation({
    summary: 'Create a flow',
    description: 'It begins as a draft: publish it with `PUT {"status": "published"}`.',
  })
  @ApiCreatedResponse({ type: CreatedFlowDto })
  @ApiProblems('conflict')
  create(@WorkspaceId() workspaceId: string, @Body() body: CreateFlowDto): Promise<CreatedFlowDto> {
    return this.flows.create(workspaceId, body);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a flow', description: 'As it is now, with its graph; an archived one, too.' })
  @ApiOkResponse({ type: FlowDto })
  async get(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<FlowDto> {
    return FlowDto.of(await this.flows.get(workspaceId, id));
  }

  @Get(':id/versions')
  @ApiOperation({
    summary: 'List the versions of a flow',
    description: 'Newest first, at most 500. Older ones are read by their number.',
  })
  @ApiOkResponse({ type: FlowVersionListDto })
  async versions(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<FlowVersionListDto> {
    return { versions: await this.flows.versions(workspaceId, id) };
  }

  @Get(':id/versions/:version')
  @ApiOperation({ summary: 'Read a version of a flow', description: 'A version never changes.' })
  @ApiParam({ name: 'version', schema: integer(1) })
  @ApiOkResponse({ type: FlowVersionDto })
  async version(
    @WorkspaceId() workspaceId: string,
    @PathId() id: string,
    @Param('version', VersionPipe) version: string,
  ): Promise<FlowVersionDto> {
    return FlowVersionDto.of(await this.flows.version(workspaceId, id, Number(version)));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a flow',
    description:
      'Takes any of the fields; what is left out stays, and `null` clears an optional one. A change of what customers ' +
      'see (`name`, `product_name`, `cancellation_url`, `flow_mode`, `offer_ids`, `definition`) becomes the next version: new sessions ' +
      'begin with it, those under way keep theirs.',
  })
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
  @ApiOperation({ summary: 'Archive a flow', description: 'No new session can start on it; those under way go on.' })
  @ApiOkResponse({ type: ArchivedDto })
  async archive(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<ArchivedDto> {
    await this.flows.archive(workspaceId, id);
    return { archived: true, id };
  }
}
