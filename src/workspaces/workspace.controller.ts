import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { UpdatedDto } from '../common/changed.dto';
import { ChangesPipe } from '../common/validation';
import { WithApiKey, WorkspaceId } from './access';
import { ApiOwnWorkspaceChanges, UpdateOwnWorkspaceDto } from './dto/change-workspace.dto';
import { WorkspaceDto } from './dto/workspace.dto';
import { WorkspacesService } from './workspaces.service';

@ApiTags('Workspace')
@WithApiKey()
@Controller('api/v1/public/workspace')
export class WorkspaceController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @ApiOperation({
    summary: 'Read the workspace and its usage',
    description: 'How many sessions may start this month (UTC), and how many have.',
  })
  @ApiOkResponse({ type: WorkspaceDto })
  async get(@WorkspaceId() workspaceId: string): Promise<WorkspaceDto> {
    return WorkspaceDto.of(await this.workspaces.get(workspaceId));
  }

  @Put()
  @ApiOperation({
    summary: 'Change the workspace',
    description: 'Send the fields to change; the others stay as they are.',
  })
  @ApiOwnWorkspaceChanges()
  @ApiOkResponse({ type: UpdatedDto })
  async update(
    @WorkspaceId() workspaceId: string,
    @Body(ChangesPipe) changes: UpdateOwnWorkspaceDto,
  ): Promise<UpdatedDto> {
    await this.workspaces.update(workspaceId, changes);
    return { updated: true, id: workspaceId };
  }
}
