import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Metrics } from '../../platform/metrics/metrics';
import { clientAddress } from '../../platform/http/client-address';
import { limited } from '../../platform/http/limits/rate-limit.guard';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { anyText } from '../../platform/api/fields/schemas';
import { Public } from '../../tenancy/access/api-key.guard';
import { AliveDto, ReadyDto } from './dto/health.dto';
import { ReadinessService } from './readiness.service';

/** Writing all metrics takes the process some 25 ms: an address gets a quarter of its time at most. */
const MetricsLimit = limited({ name: 'metrics', perMinute: 600, isOfProcess: true, clientOf: clientAddress });

@ApiTags('Health')
@Public()
@Controller()
export class OperationController {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly metrics: Metrics,
  ) {}

  @Get('livez')
  @ApiOperation({
    summary: 'Check that the process is alive',
    description: 'Does not check the database, because restarting this process would not fix that.',
  })
  @ApiOkResponse({ type: AliveDto })
  livez(): AliveDto {
    return { status: 'alive' };
  }

  @Get('readyz')
  @ApiOperation({
    summary: 'Check whether this process should get requests',
    description:
      '503 while the process is stopping, or the database does not answer or does not accept writes; `detail` says which.',
  })
  @ApiOkResponse({ type: ReadyDto })
  @ApiProblems('not_ready')
  readyz(): Promise<ReadyDto> {
    return this.readiness.check();
  }

  @Get('metrics')
  @UseGuards(MetricsLimit)
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOperation({
    operationId: 'operation_metrics',
    summary: 'Read the metrics',
    description: 'In the Prometheus text format.',
  })
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: anyText(1_000_000) })
  @ApiProblems('too_many_requests')
  read(): Promise<string> {
    return this.metrics.text();
  }
}
