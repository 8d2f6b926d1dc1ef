import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { UpdatedDto } from '../common/changed.dto';
import { ChangesPipe } from '../common/validation';
import { IfMatch, WithETag } from '../http/etag';
import { CurrentActor, LeastRole, WorkspaceId } from './access';
import type { Actor } from './actor';
import { ApiOwnWorkspaceChanges, UpdateOwnWorkspaceDto, WorkspaceDto } from './dto/workspace.dto';
import { WorkspacesService } from './workspaces.service';

@ApiTags('Workspace')
@Controller('api/v1/public/workspace')
export class WorkspaceController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @LeastRole('viewer')
  @WithETag()
  @ApiOperation({
    summary: 'Read the workspace and its usage',
    description: 'How many sessions may start this month (UTC), and how many have.',
  })
  @ApiOkResponse({ type: WorkspaceDto })
  async get(@WorkspaceId() workspaceId: string): Promise<WorkspaceDto> {
    return WorkspaceDto.of(await this.workspaces.get(workspaceId));
  }

  @Put()
  @LeastRole('owner')
  @ApiOperation({
    summary: 'Change the workspace',
    description: 'Send the fields to change; the others stay as they are.',
  })
  @ApiOwnWorkspaceChanges()
  @ApiOkResponse({ type: UpdatedDto })
  async update(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @Body(ChangesPipe) changes: UpdateOwnWorkspaceDto,
    @IfMatch('the workspace') ifMatch?: IfMatch,
  ): Promise<UpdatedDto> {
    await this.workspaces.update(workspaceId, changes, actor, ifMatch);
    return { updated: true, id: workspaceId };
  }
}
