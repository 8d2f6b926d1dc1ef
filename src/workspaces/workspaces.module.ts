import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdminWorkspacesController } from './admin-workspaces.controller';
import { Authentication } from './authentication';
import { ApiKey } from './api-keys/api-key.entity';
import { ApiKeysController } from './api-keys/api-keys.controller';
import { ApiKeysService } from './api-keys/api-keys.service';
import { CustomerKey } from './customer-keys/customer-key.entity';
import { CustomerKeysController } from './customer-keys/customer-keys.controller';
import { CustomerKeysService } from './customer-keys/customer-keys.service';
import { WorkspaceCode } from './counters/workspace-code.entity';
import { WorkspaceCodes } from './counters/workspace-codes.service';
import { WorkspaceCounter } from './counters/workspace-counter.service';
import { Workspace } from './workspace.entity';
import { WorkspaceController } from './workspace.controller';
import { WorkspacesService } from './workspaces.service';

/** Workspaces and their keys: those that the management interface is called with, and those that sign customers. */
@Module({
  imports: [TypeOrmModule.forFeature([Workspace, WorkspaceCode, ApiKey, CustomerKey])],
  controllers: [WorkspaceController, ApiKeysController, CustomerKeysController, AdminWorkspacesController],
  providers: [Authentication, WorkspacesService, WorkspaceCodes, WorkspaceCounter, ApiKeysService, CustomerKeysService],
  exports: [WorkspacesService, WorkspaceCodes, WorkspaceCounter, ApiKeysService, CustomerKeysService],
})
export class WorkspacesModule {}
