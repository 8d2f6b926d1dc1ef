import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlowsModule } from '../flows/flows.module';
import { Config } from '../settings/config';
import { PrivacyModule } from '../privacy/privacy.module';
import { Retention } from '../privacy/retention.service';
import { DeclarationLimits } from './declaration-limits';
import { Declaration } from './declaration.entity';
import { DeclarationsService } from './declarations.service';
import { Exit } from './exit';
import { ExitController } from './exit.controller';
import { ExitFlows } from './exit-flows.service';
import { ExitPages } from './page/exit-pages';
import { serveExit } from './page/serve-exit';

/** The page that the law asks for: customers declare that their contract ends, without a session, and get a receipt. */
@Module({
  imports: [TypeOrmModule.forFeature([Declaration]), FlowsModule, PrivacyModule],
  controllers: [ExitController],
  providers: [ExitFlows, DeclarationLimits, DeclarationsService, Exit, ExitPages],
  exports: [DeclarationsService],
})
export class ExitModule implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly pages: ExitPages,
    retention: Retention,
    { declarationRetentionMonths }: Config,
  ) {
    retention.byAge('declarations', `${declarationRetentionMonths} months`);
  }

  onModuleInit(): void {
    serveExit(this.host.httpAdapter.getInstance(), this.pages);
  }
}
