import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { LongWork } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { CatalogService } from './catalog.service';
import { CatalogDto } from '../dto/catalog.dto';

@ApiTags('Billing')
@Controller('api/v1/public/billing/catalog')
export class CatalogController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  @LeastRole('viewer')
  @LongWork()
  @ApiOperation({
    operationId: 'billing_catalog',
    summary: 'List the prices and coupons of the billing system',
    description:
      'What the `terms` of an offer can name, as the billing system has it now, or had it within the last 10 seconds. 404 without a ' +
      'connection; 503 if the billing system does not answer.',
  })
  @ApiOkResponse({ type: CatalogDto })
  @ApiProblems('not_found', 'billing_refused', 'sends_nothing')
  read(@CurrentTenant() tenant: Tenant): Promise<CatalogDto> {
    return this.catalog.read(tenant);
  }
}
