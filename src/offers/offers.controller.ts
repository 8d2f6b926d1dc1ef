import { Body, Controller, Delete, Get, Post, Put, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ArchivedDto, UpdatedDto } from '../common/answers';
import { PathId } from '../common/ids';
import { pageOf } from '../common/pagination';
import { ChangesPipe } from '../common/validation';
import { WithApiKey, WorkspaceId } from '../workspaces/access';
import { CreateOfferDto, UpdateOfferDto } from './dto/change-offer.dto';
import { CreatedOfferDto, ListOffersQuery, OfferDto, OfferListDto, OfferListItemDto } from './dto/offer.dto';
import { OffersService } from './offers.service';

@ApiTags('Offers')
@WithApiKey()
@Controller('api/v1/public/offers')
export class OffersController {
  constructor(private readonly offers: OffersService) {}

  @Get()
  @ApiOperation({ summary: 'List the offers', description: 'Newest first; archived ones only with `status=archived`.' })
  @ApiOkResponse({ type: OfferListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() query: ListOffersQuery): Promise<OfferListDto> {
    const { items, next_cursor } = pageOf(await this.offers.list(workspaceId, query), query.limit);
    return { offers: items.map((offer) => OfferListItemDto.of(offer)), next_cursor };
  }

  @Post()
  @ApiOperation({ summary: 'Create an offer', description: 'Flows that name it in their graph present it.' })
  @ApiCreatedResponse({ type: CreatedOfferDto })
  async create(
    @WorkspaceId() workspaceId: string,
    @Body() body: CreateOfferDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedOfferDto> {
    const offer = await this.offers.create(workspaceId, body);
    reply.header('location', `/api/v1/public/offers/${offer.id}`);
    return offer;
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an offer', description: 'An archived one, too.' })
  @ApiOkResponse({ type: OfferDto })
  async get(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<OfferDto> {
    return OfferDto.of(await this.offers.get(workspaceId, id));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change an offer',
    description: 'Takes any of the fields; what is left out stays. Customers who see it from now on see it changed.',
  })
  @ApiOkResponse({ type: UpdatedDto })
  async update(
    @WorkspaceId() workspaceId: string,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdateOfferDto,
  ): Promise<UpdatedDto> {
    await this.offers.update(workspaceId, id, changes);
    return { updated: true, id };
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Archive an offer',
    description: 'It leaves the list and can no longer be named in a flow.',
  })
  @ApiOkResponse({ type: ArchivedDto })
  async archive(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<ArchivedDto> {
    await this.offers.archive(workspaceId, id);
    return { archived: true, id };
  }
}
