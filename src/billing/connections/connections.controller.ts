import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ChangesPipe } from '../../platform/api/fields/validation';
import { WithETag, WithIfMatch } from '../../platform/http/server/etag-headers';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ConnectionsService } from './connections.service';
import { ApiConnection, BillingConnectionDto, DisconnectedDto, SetConnectionDto } from '../dto/connection.dto';

@ApiTags('Billing')
@Controller('api/v1/public/billing/connection')
export class ConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  @Get()
  @LeastRole('viewer')
  @WithETag({ moves: true })
  @ApiOperation({
    operationId: 'billing_get',
    summary: 'Read the connection to the billing system',
    description: 'Without its secrets. 404 if there is none.',
  })
  @ApiOkResponse({ type: BillingConnectionDto })
  @ApiProblems('not_found')
  async get(@CurrentTenant() tenant: Tenant): Promise<BillingConnectionDto> {
    return BillingConnectionDto.of(await this.connections.get(tenant.workspaceId));
  }

  @Put()
  @LeastRole('owner')
  @WithIfMatch('the connection')
  @WithETag({ moves: true })
  @ApiOperation({
    operationId: 'billing_connect',
    summary: 'Connect the billing system, or change the connection',
    description:
      'From then on, what verified customers accept is applied to their subscriptions, and flows with `cancel_in_billing` cancel them. ' +
      'Send the fields to set; the others stay as they are. A key is tried before it is stored. Begin with `dry_run`.',
  })
  @ApiConnection()
  @ApiOkResponse({ type: BillingConnectionDto })
  @ApiProblems('encryption_key_missing', 'billing_refused', 'sends_nothing')
  async set(
    @CurrentTenant() tenant: Tenant,
    @Body(ChangesPipe) changes: SetConnectionDto,
  ): Promise<BillingConnectionDto> {
    return BillingConnectionDto.of(await this.connections.set(tenant, changes));
  }

  @Delete()
  @LeastRole('owner')
  @WithIfMatch('the connection')
  @ApiOperation({
    operationId: 'billing_disconnect',
    summary: 'Forget the connection',
    description: 'What is pending is left to a person. Delete the key at the billing system, too.',
  })
  @ApiOkResponse({ type: DisconnectedDto })
  @ApiProblems('not_found')
  async delete(@CurrentTenant() tenant: Tenant): Promise<DisconnectedDto> {
    await this.connections.delete(tenant);
    return { deleted: true };
  }
}
