import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto } from '../../platform/api/changed.dto';
import { PathId } from '../../platform/api/path-id';
import { PageQuery } from '../../platform/api/paging/pagination';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { CreatedAt } from '../../platform/http/server/created-at';
import { Idempotent } from '../../platform/http/bodies/idempotent-creation';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { CustomerKeysService } from './customer-keys.service';
import {
  ApiNewCustomerKey,
  CreateCustomerKeyDto,
  CreatedCustomerKeyDto,
  CustomerKeyListDto,
  PATH_OF_CUSTOMER_KEY,
} from '../dto/customer-key.dto';

@ApiTags('Customer keys')
@Controller('api/v1/public/customer-keys')
export class CustomerKeysController {
  constructor(private readonly customerKeys: CustomerKeysService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({ summary: 'List the customer keys', description: 'Newest first, without their secrets.' })
  @ApiOkResponse({ type: CustomerKeyListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() page: PageQuery): Promise<CustomerKeyListDto> {
    return CustomerKeyListDto.of(await this.customerKeys.list(tenant, page));
  }

  @Post()
  @LeastRole('owner')
  @Idempotent()
  @ApiOperation({
    summary: 'Create a customer key',
    description:
      'Your backend signs customer tokens with it, so that nobody can pretend to be one of your customers. The secret of an ' +
      '`HS256` key is shown only this once. A workspace has at most 10 keys; all of them are good at the same time.',
  })
  @ApiNewCustomerKey()
  @ApiCreatedResponse({ type: CreatedCustomerKeyDto })
  @ApiProblems('customer_key_limit_reached')
  @CreatedAt(PATH_OF_CUSTOMER_KEY)
  create(@CurrentTenant() tenant: Tenant, @Body() body: CreateCustomerKeyDto): Promise<CreatedCustomerKeyDto> {
    return this.customerKeys.create(tenant, body);
  }

  @Delete(':id')
  @LeastRole('owner')
  @ApiOperation({
    summary: 'Delete a customer key',
    description: 'The very next start with a token that it signed is refused. Sessions that have started go on.',
  })
  @ApiOkResponse({ type: DeletedDto })
  async delete(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<DeletedDto> {
    await this.customerKeys.delete(tenant, id);
    return { deleted: true, id };
  }
}
