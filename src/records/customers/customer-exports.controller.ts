import { Controller, Get, Param, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CustomerParams } from '../../privacy/erasure.dto';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { LongWork } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { DownloadSlots } from '../downloads/downloads';
import { CustomerExportDto } from './customer-export.dto';
import { CustomerExports } from './customer-exports.service';

@ApiTags('Sessions')
@Controller('api/v1/public/customers')
export class CustomerExportsController {
  constructor(private readonly customers: CustomerExports) {}

  @Get(':customer_id/export')
  @LeastRole('viewer')
  @LongWork()
  @UseGuards(DownloadSlots)
  @ApiOperation({
    operationId: 'customers_export',
    summary: 'Read what is stored about a customer',
    description:
      'For a customer who asks what is stored about them (GDPR, article 15): their sessions with each step, when your endpoints were told ' +
      'of these, their outcomes, and their declarations. 200 with empty lists if that is nothing. Declarations with an address that no ' +
      'customer token named are not among them: search these by the address. The response is sent as it is read: if it breaks off, it is not ' +
      'whole. A workspace may have two downloads under way at a time (429), and there are at most ten in all (503).',
  })
  @ApiOkResponse({ type: CustomerExportDto })
  export(@CurrentTenant() tenant: Tenant, @Param() { customer_id }: CustomerParams): Promise<StreamableFile> {
    return this.customers.file(tenant, customer_id);
  }
}
