import { Controller, Delete, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { LongWork } from '../tenancy/access/management-turns';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { CustomerParams, ErasedDto } from './erasure.dto';
import { ErasureService } from './erasure.service';

@ApiTags('Sessions')
@Controller('api/v1/public/customers')
export class CustomersController {
  constructor(private readonly erasure: ErasureService) {}

  @Delete(':customer_id')
  @LeastRole('owner')
  @LongWork()
  @ApiOperation({
    summary: 'Erase a customer',
    description:
      'Erases what identifies the customer from every session: id, e-mail, attributes, id of the subscription, comments, ' +
      'idempotency key and hash of the request; and from every outcome. Comments of later steps are not stored. The sessions and the statistics stay. For a customer ' +
      'with 100,000 sessions it may take longer than a request: 503. Send it again until it is 200.',
  })
  @ApiOkResponse({ type: ErasedDto })
  async erase(@CurrentTenant() tenant: Tenant, @Param() { customer_id }: CustomerParams): Promise<ErasedDto> {
    return { erased: true, sessions: await this.erasure.erase(tenant, customer_id) };
  }
}
