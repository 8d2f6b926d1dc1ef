import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiProblems } from '../common/problem.dto';
import { PathId } from '../common/ids';
import type { Caller } from '../http/request-log';
import { Public } from '../workspaces/access';
import { ApiStart, InitSessionDto, StartedSessionDto } from './dto/init-session.dto';
import { ApiStepConflict, ApiSteps, SessionDto, StepDto } from './dto/step.dto';
import { StartsService } from './starts.service';
import { ApiStartHeaders, StartHeaders } from './start-headers';
import { StepsService } from './steps.service';

@ApiTags('Runtime')
@Public()
@Controller('api/v1/runtime/session')
export class RuntimeController {
  constructor(
    private readonly starts: StartsService,
    private readonly steps: StepsService,
  ) {}

  @Post('init')
  @ApiOperation({
    summary: 'Start a session',
    description:
      'Called by the widget when a customer is about to leave. The session counts against the monthly limit of the ' +
      'workspace, and stays on the current version of the flow. If it cannot start, 403 and 404 carry the ' +
      '`cancellation_url` of a flow that has ever been published, so that the widget can let the customer go.',
  })
  @ApiStartHeaders()
  @ApiStart()
  @ApiCreatedResponse({ type: StartedSessionDto })
  @ApiProblems(
    'origin_not_allowed',
    'session_limit_reached',
    'flow_not_found',
    'flow_not_published',
    'idempotency_key_reused',
  )
  async init(
    @Body() body: InitSessionDto,
    @StartHeaders() headers: StartHeaders,
    @Req() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StartedSessionDto> {
    const started = await this.starts.start(body, headers, caller);
    reply.header('location', `/api/v1/runtime/session/${started.session_id}`);
    return started;
  }

  @Get(':id')
  @ApiOperation({
    summary: 'See where a session stands',
    description: 'For a page that was reloaded. It changes nothing, and does not count against the limit.',
  })
  @ApiOkResponse({ type: SessionDto })
  @ApiProblems('session_not_found')
  get(@PathId() id: string, @Req() caller: Caller): Promise<SessionDto> {
    return this.steps.get(id, caller);
  }

  @Post(':id/step')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Take a step',
    description:
      '`cancel` and `keep` end the session from any node. The same step again gives the same answer again. Another step at ' +
      'a node that was passed, or any after the end, is 409 with where the session stands and the `cancellation_url`.',
  })
  @ApiOkResponse({ type: SessionDto })
  @ApiSteps()
  @ApiStepConflict()
  @ApiProblems('session_not_found', 'step_conflict')
  step(@PathId() id: string, @Body() step: StepDto, @Req() caller: Caller): Promise<SessionDto> {
    return this.steps.take(id, step, caller);
  }
}
