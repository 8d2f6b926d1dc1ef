import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionsModule } from '../sessions/sessions.module';
import { SessionRetention } from '../sessions/session-retention';
import { AttributesController } from './attributes.controller';
import { AttributesService } from './attributes.service';
import { StatsController } from './stats.controller';
import { StatsService } from './stats.service';
import { DailySum } from './sums/daily-sum.entity';
import { DailySums, firstIdAfterSums } from './sums/daily-sums.service';

/** Counts of sessions and customers, their shares, and what experiments say. */
@Module({
  imports: [TypeOrmModule.forFeature([DailySum]), SessionsModule],
  controllers: [AttributesController, StatsController],
  providers: [AttributesService, StatsService, DailySums],
})
export class StatisticsModule {
  constructor(sessionRetention: SessionRetention) {
    // Sessions are kept until the sums have them, so that statistics of whole days stay.
    sessionRetention.keepUntil(
      `NOT EXISTS (
        SELECT FROM flow_sessions WHERE workspace_id = :workspace AND id >= ${firstIdAfterSums(':workspace')} AND id < :first_id)`,
    );
  }
}
