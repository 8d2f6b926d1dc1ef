import { Body, Controller, Get, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { UpdatedDto } from '../common/answers';
import { PathId } from '../common/ids';
import { pageOf, PageQuery } from '../common/pagination';
import { ChangesPipe } from '../common/validation';
import { OperatorOnly } from './access';
import { ApiKeysService } from './api-keys.service';
import { CreateApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto';
import { CreateWorkspaceDto, UpdateWorkspaceDto } from './dto/change-workspace.dto';
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
    description: 'The answer holds its first API key, which is shown only once.',
  })
  @ApiCreatedResponse({ type: CreatedWorkspaceDto })
  create(@Body() body: CreateWorkspaceDto): Promise<CreatedWorkspaceDto> {
    return this.workspaces.create(body);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Read a workspace and its usage',
    description: 'How many sessions may start this month (UTC), and how many did.',
  })
  @ApiOkResponse({ type: WorkspaceDto })
  async get(@PathId() id: string): Promise<WorkspaceDto> {
    return WorkspaceDto.of(await this.workspaces.get(id));
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change a workspace', description: 'Takes any of the fields; what is left out stays.' })
  @ApiOkResponse({ type: UpdatedDto })
  async update(@PathId() id: string, @Body(ChangesPipe) changes: UpdateWorkspaceDto): Promise<UpdatedDto> {
    await this.workspaces.update(id, changes);
    return { updated: true, id };
  }

  @Post(':id/api-keys')
  @ApiOperation({
    summary: 'Issue an API key for a workspace',
    description: 'The answer holds the secret, which is shown only once.',
  })
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  async createApiKey(@PathId() id: string, @Body() body: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    await this.workspaces.get(id);
    return this.apiKeys.issue(id, body);
  }
}
