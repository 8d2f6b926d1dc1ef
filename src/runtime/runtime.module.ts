import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OffersModule } from '../offers/offers.module';
import { FlowsModule } from '../flows/flows.module';
import { AdmissionService } from './admission.service';
import { AdmissionWrites } from './admission-writes.service';
import { FlowSession } from './flow-session.entity';
import { RuntimeController } from './runtime.controller';
import { SessionsService } from './sessions.service';
import { SessionStep } from './session-step.entity';
import { SessionsController } from './sessions.controller';
import { StartsService } from './starts.service';
import { StatsController } from './stats.controller';
import { StatsService } from './stats.service';
import { StepsService } from './steps.service';

@Module({
  imports: [TypeOrmModule.forFeature([FlowSession, SessionStep]), OffersModule, FlowsModule],
  controllers: [RuntimeController, SessionsController, StatsController],
  providers: [StartsService, AdmissionService, AdmissionWrites, StepsService, SessionsService, StatsService],
})
export class RuntimeModule {}
