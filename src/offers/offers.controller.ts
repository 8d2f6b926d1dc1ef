import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ArchivedDto, UpdatedDto } from '../common/changed.dto';
import { PathId } from '../common/ids';
import { ApiProblems } from '../common/problem.dto';
import { ChangesPipe } from '../common/validation';
import { CreatedAt } from '../http/created-at';
import { IdempotentRequest } from '../http/idempotent-creation';
import { IfMatch, WithETag } from '../http/etag';
import type { Actor } from '../workspaces/actor';
import { CurrentActor, LeastRole, WorkspaceId } from '../workspaces/access';
import { ApiNewOffer, ApiOfferChanges, CreatedOfferDto, CreateOfferDto, ListOffersQuery } from './dto/offer.dto';
import { OfferDto, OfferListDto, UpdateOfferDto } from './dto/offer.dto';
import { OffersService } from './offers.service';

@ApiTags('Offers')
@Controller('api/v1/public/offers')
export class OffersController {
  constructor(private readonly offers: OffersService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({ summary: 'List the offers', description: 'Newest first; archived ones only with `status=archived`.' })
  @ApiOkResponse({ type: OfferListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() query: ListOffersQuery): Promise<OfferListDto> {
    return OfferListDto.of(await this.offers.list(workspaceId, query));
  }

  @Post()
  @LeastRole('editor')
  @ApiOperation({ summary: 'Create an offer', description: 'To present it, name its id in a flow.' })
  @ApiNewOffer()
  @ApiCreatedResponse({ type: CreatedOfferDto })
  @ApiProblems('key_taken', 'offer_limit_reached')
  @CreatedAt('/api/v1/public/offers/:id')
  create(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @Body() body: CreateOfferDto,
    @IdempotentRequest() idempotent?: IdempotentRequest,
  ): Promise<CreatedOfferDto> {
    return this.offers.create(workspaceId, body, actor, idempotent);
  }

  @Get(':id')
  @LeastRole('viewer')
  @WithETag()
  @ApiOperation({ summary: 'Read an offer', description: 'Also when archived.' })
  @ApiOkResponse({ type: OfferDto })
  async get(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<OfferDto> {
    return OfferDto.of(await this.offers.get(workspaceId, id));
  }

  @Put(':id')
  @LeastRole('editor')
  @ApiOperation({
    summary: 'Change an offer',
    description:
      'Send the fields to change; the others stay as they are. Customers who come to the offer from now on see the change.',
  })
  @ApiOfferChanges()
  @ApiOkResponse({ type: UpdatedDto })
  @ApiProblems('key_taken')
  async update(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdateOfferDto,
    @IfMatch('the offer') ifMatch?: IfMatch,
  ): Promise<UpdatedDto> {
    await this.offers.update(workspaceId, id, changes, actor, ifMatch);
    return { updated: true, id };
  }

  @Delete(':id')
  @LeastRole('editor')
  @ApiOperation({
    summary: 'Archive an offer',
    description: 'It leaves the list, cannot be named in a flow any more, and is skipped by flows that name it.',
  })
  @ApiOkResponse({ type: ArchivedDto })
  async archive(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
    @IfMatch('the offer') ifMatch?: IfMatch,
  ): Promise<ArchivedDto> {
    await this.offers.archive(workspaceId, id, actor, ifMatch);
    return { archived: true, id };
  }
}
