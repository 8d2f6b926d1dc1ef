import { Body, Controller, Get, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { UpdatedDto } from '../platform/api/changed.dto';
import { PathId } from '../platform/api/path-id';
import { PageQuery } from '../platform/api/paging/pagination';
import { ChangesPipe } from '../platform/api/fields/validation';
import { CreatedAt } from '../platform/http/server/created-at';
import { WithETag, WithIfMatch, WithNewETag } from '../platform/http/server/etag-headers';
import { Idempotent } from '../platform/http/bodies/idempotent-creation';
import { OperatorOnly } from '../tenancy/access/api-key.guard';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { ApiNewApiKey, CreateApiKeyDto, CreatedApiKeyDto, PATH_OF_API_KEY } from './dto/api-key.dto';
import { ApiNewWorkspace, ApiWorkspaceChanges, CreatedWorkspaceDto, CreateWorkspaceDto } from './dto/workspace.dto';
import { UpdateWorkspaceDto, WorkspaceDto, WorkspaceListDto } from './dto/workspace.dto';
import { WorkspacesService } from './workspaces.service';

@ApiTags('Operator')
@OperatorOnly()
@Controller('api/v1/admin/workspaces')
export class AdminWorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @ApiOperation({
    operationId: 'workspaces_list',
    summary: 'List the workspaces',
    description: 'Newest first, each with its usage.',
  })
  @ApiOkResponse({ type: WorkspaceListDto })
  async list(@Query() page: PageQuery): Promise<WorkspaceListDto> {
    return WorkspaceListDto.of(await this.workspaces.list(page));
  }

  @Post()
  @ApiOperation({
    operationId: 'workspaces_create',
    summary: 'Create a workspace',
    description: 'The answer contains its first API key, which is shown only this once.',
  })
  @ApiNewWorkspace()
  @ApiCreatedResponse({ type: CreatedWorkspaceDto })
  @CreatedAt('/api/v1/admin/workspaces/:id')
  @Idempotent()
  create(@CurrentTenant() operator: Tenant, @Body() body: CreateWorkspaceDto): Promise<CreatedWorkspaceDto> {
    return this.workspaces.create(operator, body);
  }

  @Get(':id')
  @WithETag({ moves: true })
  @ApiOperation({
    operationId: 'workspaces_get',
    summary: 'Read a workspace and its usage',
    description: 'How many sessions may start this month (UTC), and how many have.',
  })
  @ApiOkResponse({ type: WorkspaceDto })
  async get(@PathId() id: string): Promise<WorkspaceDto> {
    return WorkspaceDto.of(await this.workspaces.get(id));
  }

  @Put(':id')
  @ApiOperation({
    operationId: 'workspaces_update',
    summary: 'Change a workspace',
    description: 'Send the fields to change; the others stay as they are.',
  })
  @WithIfMatch('the workspace')
  @WithNewETag()
  @ApiWorkspaceChanges()
  @ApiOkResponse({ type: UpdatedDto })
  async update(
    @CurrentTenant() operator: Tenant,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdateWorkspaceDto,
  ): Promise<UpdatedDto> {
    await this.workspaces.update({ ...operator, workspaceId: id }, changes);
    return { updated: true, id };
  }

  @Post(':id/api-keys')
  @ApiOperation({
    operationId: 'workspaces_createApiKey',
    summary: 'Issue an API key for a workspace',
    description: 'The answer contains the secret, which is shown only this once.',
  })
  @ApiNewApiKey()
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  @CreatedAt(PATH_OF_API_KEY)
  @Idempotent()
  createApiKey(
    @CurrentTenant() operator: Tenant,
    @PathId() id: string,
    @Body() body: CreateApiKeyDto,
  ): Promise<CreatedApiKeyDto> {
    return this.workspaces.issueApiKey(operator, id, body);
  }
}
