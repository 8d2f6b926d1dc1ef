import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ArchivedDto } from '../platform/api/changed.dto';
import { PathId } from '../platform/api/path-id';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { ChangesPipe } from '../platform/api/fields/validation';
import { CreatedAt } from '../platform/http/server/created-at';
import { Idempotent } from '../platform/http/bodies/idempotent-creation';
import { WithETag, WithIfMatch, WithNewETag } from '../platform/http/server/etag-headers';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { ApiNewOffer, ApiOfferChanges, CreatedOfferDto, CreateOfferDto, ListOffersQuery } from './dto/offer.dto';
import { OfferDto, OfferListDto, UpdateOfferDto } from './dto/offer.dto';
import { UpdatedOfferDto } from './dto/offer-draft.dto';
import { OffersService } from './offers.service';

@ApiTags('Offers')
@Controller('api/v1/public/offers')
export class OffersController {
  constructor(private readonly offers: OffersService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({ summary: 'List the offers', description: 'Newest first; archived ones only with `status=archived`.' })
  @ApiOkResponse({ type: OfferListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: ListOffersQuery): Promise<OfferListDto> {
    return OfferListDto.of(await this.offers.list(tenant, query));
  }

  @Post()
  @LeastRole('editor')
  @Idempotent()
  @ApiOperation({ summary: 'Create an offer', description: 'To present it, name its id in a flow.' })
  @ApiNewOffer()
  @ApiCreatedResponse({ type: CreatedOfferDto })
  @ApiProblems('key_taken', 'offer_limit_reached', 'workspace_version_limit_reached')
  @CreatedAt('/api/v1/public/offers/:id')
  create(@CurrentTenant() tenant: Tenant, @Body() body: CreateOfferDto): Promise<CreatedOfferDto> {
    return this.offers.create(tenant, body);
  }

  @Get(':id')
  @LeastRole('viewer')
  @WithETag()
  @ApiOperation({ summary: 'Read an offer', description: 'Also when archived.' })
  @ApiOkResponse({ type: OfferDto })
  async get(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<OfferDto> {
    return OfferDto.of(await this.offers.get(tenant, id));
  }

  @Put(':id')
  @LeastRole('editor')
  @WithIfMatch('the offer')
  @WithNewETag()
  @ApiOperation({
    summary: 'Change an offer',
    description:
      'Send the fields to change; the others stay as they are. Customers who come to the offer from now on see the change, which ' +
      'is a new version. To look at it first, change the draft.',
  })
  @ApiOfferChanges()
  @ApiOkResponse({ type: UpdatedOfferDto })
  @ApiProblems('key_taken', 'version_limit_reached', 'workspace_version_limit_reached')
  async update(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdateOfferDto,
  ): Promise<UpdatedOfferDto> {
    return { updated: true, id, ...(await this.offers.update(tenant, id, changes)) };
  }

  @Delete(':id')
  @LeastRole('editor')
  @WithIfMatch('the offer')
  @ApiOperation({
    summary: 'Archive an offer',
    description: 'It leaves the list, cannot be named in a flow any more, and is skipped by flows that name it.',
  })
  @ApiOkResponse({ type: ArchivedDto })
  async archive(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<ArchivedDto> {
    await this.offers.archive(tenant, id);
    return { archived: true, id };
  }
}
