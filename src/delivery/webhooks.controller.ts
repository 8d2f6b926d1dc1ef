import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto, UpdatedDto } from '../common/changed.dto';
import { PathId } from '../common/ids';
import { PageQuery } from '../common/pagination';
import { ApiProblems } from '../common/problem.dto';
import { ChangesPipe } from '../common/validation';
import { CreatedAt } from '../http/created-at';
import { IfMatch, WithETag } from '../http/etag';
import { IdempotentRequest } from '../http/idempotent-creation';
import { CurrentActor, LeastRole, LongWork, WorkspaceId } from '../workspaces/access';
import type { Actor } from '../workspaces/actor';
import * as dto from './dto/webhook.dto';
import { WebhooksService } from './webhooks.service';

@ApiTags('Webhooks')
@Controller('api/v1/public/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({ summary: 'List the webhooks', description: 'Newest first, including disabled ones.' })
  @ApiOkResponse({ type: dto.WebhookListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() page: PageQuery): Promise<dto.WebhookListDto> {
    return dto.WebhookListDto.of(await this.webhooks.list(workspaceId, page));
  }

  @Post()
  @LeastRole('owner')
  @ApiOperation({
    summary: 'Create a webhook',
    description:
      'Events from now on are sent to its URL, signed with the secret in the answer, shown only once. At most 10 webhooks.',
  })
  @dto.ApiNewWebhook()
  @ApiCreatedResponse({ type: dto.CreatedWebhookDto })
  @ApiProblems('key_taken', 'webhook_limit_reached')
  @CreatedAt(dto.PATH_OF_WEBHOOK)
  create(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @Body() body: dto.CreateWebhookDto,
    @IdempotentRequest() idempotent?: IdempotentRequest,
  ): Promise<dto.CreatedWebhookDto> {
    return this.webhooks.create(workspaceId, body, actor, idempotent);
  }

  @Get(':id')
  @LeastRole('viewer')
  @WithETag()
  @ApiOperation({ summary: 'Read a webhook', description: 'Without its secret.' })
  @ApiOkResponse({ type: dto.WebhookDto })
  async get(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<dto.WebhookDto> {
    return dto.WebhookDto.of(await this.webhooks.get(workspaceId, id));
  }

  @Put(':id')
  @LeastRole('owner')
  @ApiOperation({
    summary: 'Change, disable or enable a webhook',
    description: 'Send the fields to change; the others stay as they are.',
  })
  @dto.ApiWebhookChanges()
  @ApiOkResponse({ type: UpdatedDto })
  @ApiProblems('key_taken')
  async update(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
    @Body(ChangesPipe) body: dto.UpdateWebhookDto,
    @IfMatch('the webhook') ifMatch?: IfMatch,
  ): Promise<UpdatedDto> {
    await this.webhooks.update(workspaceId, id, body, actor, ifMatch);
    return { updated: true, id };
  }

  @Delete(':id')
  @LeastRole('owner')
  @LongWork()
  @ApiOperation({
    summary: 'Delete a webhook',
    description:
      'Deletes its deliveries, too. 100,000 of them may take longer than a request: 503. Send it again until it is 200 or 404.',
  })
  @ApiOkResponse({ type: DeletedDto })
  async delete(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
    @IfMatch('the webhook') ifMatch?: IfMatch,
  ): Promise<DeletedDto> {
    await this.webhooks.delete(workspaceId, id, actor, ifMatch);
    return { deleted: true, id };
  }
}
