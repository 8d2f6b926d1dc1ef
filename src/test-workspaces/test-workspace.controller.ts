import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { CreatedAt } from '../platform/http/server/created-at';
import { Idempotent } from '../platform/http/bodies/idempotent-creation';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import { LongWork } from '../tenancy/access/management-turns';
import type { Tenant } from '../tenancy/work/tenant';
import { CreatedWorkspaceDto } from '../workspaces/dto/workspace.dto';
import { PassingTime } from './passing-time.service';
import { ApiPassedTime, PassedTimeDto, PassTimeDto } from './test-workspace.dto';
import { TestWorkspaces } from './test-workspaces.service';

@ApiTags('Workspace')
@Controller('api/v1/public/workspace')
export class TestWorkspaceController {
  constructor(
    private readonly testWorkspaces: TestWorkspaces,
    private readonly time: PassingTime,
  ) {}

  @Post('test')
  @LeastRole('owner')
  @LongWork()
  @ApiOperation({
    operationId: 'workspace_createTest',
    summary: 'Make a test workspace beside this one',
    description:
      'With its audiences, offers, flows, pictures and settings, and without its webhooks, billing, keys and people, and the addresses ' +
      'that mails of flows go to. The person who makes it owns it. The slugs of its flows begin with `test-` and six characters of its own. The answer contains an API key, ' +
      'which is shown only this once. A workspace may have 10.',
  })
  @ApiCreatedResponse({ type: CreatedWorkspaceDto })
  @CreatedAt('/api/v1/admin/workspaces/:id')
  @ApiProblems('not_a_live_workspace', 'test_workspace_limit_reached', 'config_too_large')
  @Idempotent()
  createTest(@CurrentTenant() tenant: Tenant): Promise<CreatedWorkspaceDto> {
    return this.testWorkspaces.create(tenant);
  }

  @Post('time')
  @HttpCode(200)
  @LeastRole('owner')
  @ApiOperation({
    operationId: 'workspace_passTime',
    summary: 'Let time pass in a test workspace',
    description:
      'Everything in it becomes that much older: sessions are abandoned, months end, limits of offers and their effects end, notices are ' +
      'sent, and numbers follow. What comes next has the real time, and so has whatever is outside, such as tokens and a billing ' +
      'system. The `id` of a session is made of its time, so it changes; its `session_id` stays.',
  })
  @ApiPassedTime()
  @ApiOkResponse({ type: PassedTimeDto })
  @ApiProblems('not_a_test_workspace')
  async passTime(@CurrentTenant() tenant: Tenant, @Body() { pass }: PassTimeDto): Promise<PassedTimeDto> {
    await this.time.pass(tenant, pass);
    return { passed: pass };
  }
}
