import { Body, Controller, Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { PathId } from '../platform/api/path-id';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { CreatedAt } from '../platform/http/server/created-at';
import { Public, WorkspaceId } from '../tenancy/access/api-key.guard';
import { shownSession } from './shown-session';
import { ApiStart, ApiStartKey } from './start/start-docs';
import { CurrentStart, InitSessionDto, type StartContext, StartedSessionDto } from './start/start.dto';
import { StartsService } from './start/starts.service';
import { ApiSteps, StepDto } from './step/step-request.dto';
import { ApiStepConflict, ResumedSessionDto, SessionDto } from './step/step.dto';
import { StepsService } from './step/steps.service';
import { TenantGuard } from './tenant.guard';

const SESSION_ID = 'The `session_id` of a start, or of a preview of a flow. An id that no session has is 404.';

@ApiTags('Runtime')
@Public()
@UseGuards(TenantGuard)
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
      'workspace, and stays on the current version of the flow. If it cannot start, 401, 403 and 404 carry the ' +
      '`cancellation_url` of a flow that has ever been published, so that the widget can let the customer go.',
  })
  @ApiStartKey()
  @ApiStart()
  @ApiCreatedResponse({ type: StartedSessionDto })
  @ApiProblems(
    'invalid_customer_token',
    'origin_not_allowed',
    'session_limit_reached',
    'flow_not_found',
    'flow_not_published',
  )
  @CreatedAt('/api/v1/runtime/session/:session_id')
  async start(
    @WorkspaceId() workspaceId: string | undefined,
    @CurrentStart() context: StartContext,
    @Body() body: InitSessionDto,
    @Req() request: FastifyRequest,
  ): Promise<StartedSessionDto> {
    const started = await this.starts.start(workspaceId, context, body);
    request.warnings = started.warnings;
    return StartedSessionDto.of(started);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Read the state of a session',
    description:
      'For a page that was reloaded. It changes nothing, and does not count against the limit. A session that did not end ' +
      'within 24 hours of its start is `abandoned` and has no node.',
  })
  @ApiOkResponse({ type: ResumedSessionDto })
  @ApiProblems('session_not_found')
  async get(@WorkspaceId() workspaceId: string, @PathId(SESSION_ID) id: string): Promise<ResumedSessionDto> {
    return ResumedSessionDto.of(await this.steps.get(workspaceId, id));
  }

  @Post(':id/step')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Take a step',
    description:
      '`cancel` and `keep` end the session from any node. The same step again gives the same response again. A different ' +
      'step at a node that was passed, or any after the end, is 409 with the state of the session and the `cancellation_url`. ' +
      'An offer that the customer has accepted as often as its limit allows is 409 `offer_not_available`, and the session goes ' +
      'on to the next node, which `session` has. ' +
      'A session lives 24 hours from its start: then a step is 409 `session_expired` with the `cancellation_url`.',
  })
  @ApiOkResponse({ type: SessionDto })
  @ApiSteps()
  @ApiStepConflict()
  @ApiProblems('session_not_found', 'step_conflict', 'offer_not_available', 'session_expired')
  async step(
    @WorkspaceId() workspaceId: string,
    @PathId(SESSION_ID) id: string,
    @Body() step: StepDto,
  ): Promise<SessionDto> {
    return shownSession(await this.steps.take(workspaceId, id, step));
  }
}
