import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '../outbox/outbox.module';
import { ApiKeyGuard } from './access/api-key.guard';
import { Change } from './log/change.entity';
import { UnitsOfWork } from './work/units-of-work.service';
import { WordsOfRows } from './work/words-of-rows';

/** The guard of all routes, and the units of work in which services read and change a workspace. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Change]), OutboxModule],
  providers: [UnitsOfWork, WordsOfRows, { provide: APP_GUARD, useClass: ApiKeyGuard }],
  exports: [UnitsOfWork, WordsOfRows],
})
export class TenancyModule {}
