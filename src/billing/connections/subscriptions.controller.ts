import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { LongWork } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { SubscriptionsDto } from '../dto/subscriptions.dto';
import { SubscriptionsService } from './subscriptions.service';

@ApiTags('Billing')
@Controller('api/v1/public/billing/subscriptions')
export class SubscriptionsController {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  @Get()
  @LeastRole('editor')
  @LongWork()
  @ApiOperation({
    operationId: 'billing_subscriptions',
    summary: 'List subscriptions of the billing system',
    description:
      'Whose flow you can preview: the newest that have not ended, as the billing system has them now. 404 without a connection; 503 if ' +
      'the billing system does not answer.',
  })
  @ApiOkResponse({ type: SubscriptionsDto })
  @ApiProblems('not_found', 'billing_refused', 'sends_nothing')
  list(@CurrentTenant() tenant: Tenant): Promise<SubscriptionsDto> {
    return this.subscriptions.list(tenant);
  }
}
