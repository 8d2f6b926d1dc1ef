import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionsModule } from '../sessions/sessions.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { AttributesController } from './attributes.controller';
import { AttributesService } from './attributes.service';
import { Counting } from './counting/counting.service';
import { DigestMails } from './digests/digest-mails';
import { ReportController } from './report/report.controller';
import { ReportService } from './report/report.service';
import { StatsController } from './stats.controller';
import { StatsService } from './stats.service';
import { DailySum } from './sums/daily-sum.entity';
import { DailySums } from './sums/daily-sums.service';
import { SumsKeepSessions } from './sums/sums-keep-sessions';

/** Counts of sessions and customers, their shares, and what experiments say. */
@Module({
  imports: [TypeOrmModule.forFeature([DailySum]), SessionsModule, WorkspacesModule],
  controllers: [AttributesController, StatsController, ReportController],
  providers: [AttributesService, Counting, StatsService, ReportService, DigestMails, DailySums, SumsKeepSessions],
  exports: [DailySums],
})
export class StatisticsModule {}
