import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlowsModule } from '../flows/flows.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { StatsController } from './stats.controller';
import { StatsService } from './stats.service';
import { DailySum } from './sums/daily-sum.entity';
import { DailySums } from './sums/daily-sums.service';

/** Counts of sessions and customers, their shares, and what experiments say. */
@Module({
  imports: [TypeOrmModule.forFeature([DailySum]), WorkspacesModule, FlowsModule],
  controllers: [StatsController],
  providers: [StatsService, DailySums],
})
export class StatisticsModule {}
