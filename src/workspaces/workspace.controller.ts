import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { UpdatedDto } from '../platform/api/changed.dto';
import { ChangesPipe } from '../platform/api/fields/validation';
import { WithETag, WithIfMatch, WithNewETag } from '../platform/http/server/etag-headers';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { ApiOwnWorkspaceChanges, UpdateOwnWorkspaceDto, WorkspaceDto } from './dto/workspace.dto';
import { WorkspacesService } from './workspaces.service';

@ApiTags('Workspace')
@Controller('api/v1/public/workspace')
export class WorkspaceController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @LeastRole('viewer')
  @WithETag({ moves: true })
  @ApiOperation({
    summary: 'Read the workspace and its usage',
    description: 'How many sessions may start this month (UTC), and how many have.',
  })
  @ApiOkResponse({ type: WorkspaceDto })
  async get(@CurrentTenant() tenant: Tenant): Promise<WorkspaceDto> {
    return WorkspaceDto.of(await this.workspaces.get(tenant.workspaceId));
  }

  @Put()
  @LeastRole('owner')
  @WithIfMatch('the workspace')
  @WithNewETag()
  @ApiOperation({
    summary: 'Change the workspace',
    description: 'Send the fields to change; the others stay as they are.',
  })
  @ApiOwnWorkspaceChanges()
  @ApiOkResponse({ type: UpdatedDto })
  async update(
    @CurrentTenant() tenant: Tenant,
    @Body(ChangesPipe) changes: UpdateOwnWorkspaceDto,
  ): Promise<UpdatedDto> {
    await this.workspaces.update(tenant, changes);
    return { updated: true, id: tenant.workspaceId };
  }
}
