import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdminWorkspacesController } from './admin-workspaces.controller';
import { ApiKey } from './api-key.entity';
import { ApiKeyGuard } from './api-key.guard';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { Authentication } from './authentication';
import { CustomerKey } from './customer-key.entity';
import { CustomerKeysController } from './customer-keys.controller';
import { CustomerKeysService } from './customer-keys.service';
import { CustomerTokens } from './customer-tokens.service';
import { WorkspaceCode } from './workspace-code.entity';
import { WorkspaceCodes } from './workspace-codes.service';
import { Workspace } from './workspace.entity';
import { WorkspaceController } from './workspace.controller';
import { WorkspacesService } from './workspaces.service';

@Module({
  imports: [TypeOrmModule.forFeature([Workspace, WorkspaceCode, ApiKey, CustomerKey])],
  controllers: [WorkspaceController, ApiKeysController, CustomerKeysController, AdminWorkspacesController],
  // The guard is global: a route without a decorator of access.ts takes an API key.
  providers: [
    WorkspacesService,
    WorkspaceCodes,
    ApiKeysService,
    CustomerKeysService,
    CustomerTokens,
    Authentication,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
  exports: [WorkspacesService, WorkspaceCodes, CustomerTokens],
})
export class WorkspacesModule {}
