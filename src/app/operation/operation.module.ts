import { Module } from '@nestjs/common';
import { DrainService } from './drain.service';
import { OperationController } from './operation.controller';
import { ReadinessService } from './readiness.service';

/** For the operator: health, metrics and graceful shutdown. */
@Module({
  controllers: [OperationController],
  providers: [DrainService, ReadinessService],
})
export class OperationModule {}
