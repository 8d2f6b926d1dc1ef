import { Module } from '@nestjs/common';
import { DrainService } from './drain.service';
import { OperationController } from './operation.controller';
import { ReadinessService } from './readiness.service';
import { RequestMetrics } from './request-metrics';

/** What whoever runs the service needs: health, metrics, and a stop that cuts nobody off. */
@Module({
  controllers: [OperationController],
  providers: [DrainService, ReadinessService, RequestMetrics],
})
export class OperationModule {}
