import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OffersModule } from '../offers/offers.module';
import { FlowsModule } from '../flows/flows.module';
import { AdmissionService } from './admission.service';
import { FlowSession } from './flow-session.entity';
import { RuntimeController } from './runtime.controller';
import { SessionStep } from './session-step.entity';
import { SessionsService } from './sessions.service';
import { StepsService } from './steps.service';

@Module({
  imports: [TypeOrmModule.forFeature([FlowSession, SessionStep]), OffersModule, FlowsModule],
  controllers: [RuntimeController],
  providers: [SessionsService, AdmissionService, StepsService],
})
export class RuntimeModule {}
