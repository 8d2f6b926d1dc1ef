import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../platform/api/path-id';
import { PageQuery } from '../platform/api/paging/pagination';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { OfferFlowListDto } from './dto/offer-flow.dto';
import { FlowsService } from './flows.service';

@ApiTags('Offers')
@Controller('api/v1/public/offers/:id/flows')
export class OfferFlowsController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({
    operationId: 'offers_flows',
    summary: 'List the flows that name an offer',
    description:
      'In their current version or their draft, newest first, without archived flows. Once the offer is archived, they pass over it.',
  })
  @ApiOkResponse({ type: OfferFlowListDto })
  async list(
    @CurrentTenant() tenant: Tenant,
    @PathId() offerId: string,
    @Query() query: PageQuery,
  ): Promise<OfferFlowListDto> {
    return OfferFlowListDto.of(await this.flows.withOffer(tenant, offerId, query));
  }
}
