import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { ApiKeyGuard } from './api-key.guard';
import { Change } from './changes/change.entity';
import { ChangeLog } from './changes/change-log.service';
import { UnitsOfWork } from './units-of-work.service';

/** Who may call what, and the transactions in which they read and change the data of their workspace. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Change]), EventsModule],
  providers: [ChangeLog, UnitsOfWork, { provide: APP_GUARD, useClass: ApiKeyGuard }],
  exports: [UnitsOfWork],
})
export class TenancyModule {}
