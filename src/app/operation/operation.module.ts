import { Module } from '@nestjs/common';
import { DrainService } from './drain.service';
import { OperationController } from './operation.controller';
import { ReadinessService } from './readiness.service';
import { RequestMetrics } from '../../platform/metrics/request-metrics';

/** For the operator: health, metrics and graceful shutdown. */
@Module({
  controllers: [OperationController],
  providers: [DrainService, ReadinessService, RequestMetrics],
})
export class OperationModule {}
