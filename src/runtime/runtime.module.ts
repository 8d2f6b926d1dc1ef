import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlowsModule } from '../flows/flows.module';
import { AdmissionService } from './admission.service';
import { FlowSession } from './flow-session.entity';
import { RuntimeController } from './runtime.controller';
import { SessionsService } from './sessions.service';

@Module({
  imports: [TypeOrmModule.forFeature([FlowSession]), FlowsModule],
  controllers: [RuntimeController],
  providers: [SessionsService, AdmissionService],
})
export class RuntimeModule {}
