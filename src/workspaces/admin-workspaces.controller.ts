import { Body, Controller, Get, Post, Put, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { UpdatedDto } from '../common/answers';
import { PathId } from '../common/ids';
import { pageOf, PageQuery } from '../common/pagination';
import { ChangesPipe } from '../common/validation';
import { OperatorOnly } from './access';
import { ApiKeysService } from './api-keys.service';
import { ApiNewApiKey, CreateApiKeyDto, CreatedApiKeyDto, pathOfApiKey } from './dto/api-key.dto';
import {
  ApiNewWorkspace,
  ApiWorkspaceChanges,
  CreateWorkspaceDto,
  UpdateWorkspaceDto,
} from './dto/change-workspace.dto';
import { CreatedWorkspaceDto, WorkspaceDto, WorkspaceListDto } from './dto/workspace.dto';
import { WorkspacesService } from './workspaces.service';

@ApiTags('Operator')
@OperatorOnly()
@Controller('api/v1/admin/workspaces')
export class AdminWorkspacesController {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the workspaces', description: 'Newest first, each with its usage.' })
  @ApiOkResponse({ type: WorkspaceListDto })
  async list(@Query() page: PageQuery): Promise<WorkspaceListDto> {
    const { items, next_cursor } = pageOf(await this.workspaces.list(page), page.limit);
    return { workspaces: items.map((workspace) => WorkspaceDto.of(workspace)), next_cursor };
  }

  @Post()
  @ApiOperation({
    summary: 'Create a workspace',
    description: 'The answer contains its first API key, which is shown only this once.',
  })
  @ApiNewWorkspace()
  @ApiCreatedResponse({ type: CreatedWorkspaceDto })
  async create(
    @Body() body: CreateWorkspaceDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedWorkspaceDto> {
    const workspace = await this.workspaces.create(body);
    reply.header('location', `/api/v1/admin/workspaces/${workspace.id}`);
    return workspace;
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Read a workspace and its usage',
    description: 'How many sessions may start this month (UTC), and how many have.',
  })
  @ApiOkResponse({ type: WorkspaceDto })
  async get(@PathId() id: string): Promise<WorkspaceDto> {
    return WorkspaceDto.of(await this.workspaces.get(id));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a workspace',
    description: 'Send the fields to change; the others stay as they are.',
  })
  @ApiWorkspaceChanges()
  @ApiOkResponse({ type: UpdatedDto })
  async update(@PathId() id: string, @Body(ChangesPipe) changes: UpdateWorkspaceDto): Promise<UpdatedDto> {
    await this.workspaces.update(id, changes);
    return { updated: true, id };
  }

  @Post(':id/api-keys')
  @ApiOperation({
    summary: 'Issue an API key for a workspace',
    description: 'The answer contains the secret, which is shown only this once.',
  })
  @ApiNewApiKey()
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  async createApiKey(
    @PathId() id: string,
    @Body() body: CreateApiKeyDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedApiKeyDto> {
    await this.workspaces.get(id);
    const key = await this.apiKeys.issue(id, body);
    reply.header('location', pathOfApiKey(key));
    return key;
  }
}
