import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../platform/api/path-id';
import { CreatedAt } from '../../platform/http/server/created-at';
import { Idempotent } from '../../platform/http/bodies/idempotent-creation';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { LongWork } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ApiPreview, PreviewDto, StartedPreviewDto } from './preview.dto';
import { PreviewsService } from './previews.service';

@ApiTags('Flows')
@Controller('api/v1/public/flows')
export class PreviewsController {
  constructor(private readonly previews: PreviewsService) {}

  @Post(':id/preview')
  @LeastRole('viewer')
  @LongWork()
  @Idempotent()
  @ApiOperation({
    operationId: 'flows_preview',
    summary: 'Preview a flow',
    description:
      'Previews the current version of a flow, whatever its status, or its draft. The runtime routes take its `session_id` like that of a ' +
      'session. The widget shows it with `show({ sessionId })`, and the page `/preview#<session_id>` to whoever has that link. A preview is ' +
      'in no count, list, statistic or mail, and unless you ask for `events`, which takes the role `editor`, nothing is sent of it. Comments are not stored. To see each branch and each arm of an experiment, ' +
      'say whose `attributes` it walks with and which `arm` it takes. With a `subscription`, it says what would happen to it. It ends after 24 hours, or when the workspace has 100 newer ones.',
  })
  @ApiPreview()
  @ApiCreatedResponse({ type: StartedPreviewDto })
  @ApiProblems('draft_has_faults', 'insufficient_scope', 'insufficient_role', 'billing_refused', 'sends_nothing')
  @CreatedAt('/api/v1/runtime/session/:session_id')
  create(@CurrentTenant() tenant: Tenant, @PathId() id: string, @Body() body: PreviewDto): Promise<StartedPreviewDto> {
    return this.previews.create(tenant, id, body);
  }
}
