import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ApiOutcome, OutcomeDto, ReportOutcomeDto } from '../dto/outcome.dto';
import { OutcomesService } from './outcomes.service';

@ApiTags('Outcomes')
@Controller('api/v1/public/outcomes')
export class OutcomesController {
  constructor(private readonly outcomes: OutcomesService) {}

  @Post()
  @LeastRole('owner')
  @ApiOperation({
    summary: 'Report what became of a customer',
    description:
      'Says that a customer canceled, paid, or stays after an offer that is no save, so that statistics know whether saves last (`lasting`) and what they brought ' +
      '(`paid_since`). The same report again is 200 and changes nothing. Another report with the same `id` is 409. ' +
      '`kept` waits while the sessions of a day are summed, and is 503 if that takes longer than 3 seconds: send it again.',
  })
  @ApiOutcome()
  @ApiCreatedResponse({ type: OutcomeDto })
  @ApiOkResponse({ type: OutcomeDto, description: 'Reported before' })
  @ApiProblems('outcome_id_reused', 'not_contacted', 'conflict')
  async report(
    @CurrentTenant() tenant: Tenant,
    @Body() body: ReportOutcomeDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OutcomeDto> {
    const { outcome, isNew } = await this.outcomes.report(tenant, body);
    reply.status(STATUS[`${isNew}`]);
    return OutcomeDto.of(outcome);
  }
}

/** Whether an outcome is new. */
const STATUS = { true: 201, false: 200 };
