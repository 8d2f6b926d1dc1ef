import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdminWorkspacesController } from './admin-workspaces.controller';
import { ApiKey } from './api-key.entity';
import { ApiKeyGuard } from './api-key.guard';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { Authentication } from './authentication';
import { Workspace } from './workspace.entity';
import { WorkspaceController } from './workspace.controller';
import { WorkspacesService } from './workspaces.service';

@Module({
  imports: [TypeOrmModule.forFeature([Workspace, ApiKey])],
  controllers: [WorkspaceController, ApiKeysController, AdminWorkspacesController],
  // The guard is the application's: a route that says nothing of access asks for an API key.
  providers: [WorkspacesService, ApiKeysService, Authentication, { provide: APP_GUARD, useClass: ApiKeyGuard }],
  exports: [WorkspacesService],
})
export class WorkspacesModule {}
