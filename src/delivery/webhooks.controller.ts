import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto, UpdatedDto } from '../common/changed.dto';
import { PathId } from '../common/ids';
import { PageQuery } from '../common/pagination';
import { ApiProblems } from '../common/problem.dto';
import { ChangesPipe } from '../common/validation';
import { CreatedAt } from '../http/created-at';
import { IdempotentRequest } from '../http/idempotency-key';
import { WithApiKey, WorkspaceId } from '../workspaces/access';
import * as changes from './dto/change-webhook.dto';
import { CreatedWebhookDto, PATH_OF_WEBHOOK, RotatedSecretDto, WebhookDto, WebhookListDto } from './dto/webhook.dto';
import { WebhooksService } from './webhooks.service';

@ApiTags('Webhooks')
@WithApiKey()
@Controller('api/v1/public/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @ApiOperation({ summary: 'List the webhooks', description: 'Newest first, including disabled ones.' })
  @ApiOkResponse({ type: WebhookListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() page: PageQuery): Promise<WebhookListDto> {
    return WebhookListDto.of(await this.webhooks.list(workspaceId, page));
  }

  @Post()
  @ApiOperation({
    summary: 'Create a webhook',
    description:
      'From now on, events of the workspace are sent to its URL, signed with the secret that the answer shows, only this once. ' +
      'A workspace has at most 10 webhooks.',
  })
  @changes.ApiNewWebhook()
  @ApiCreatedResponse({ type: CreatedWebhookDto })
  @ApiProblems('webhook_limit_reached')
  @CreatedAt(PATH_OF_WEBHOOK)
  create(
    @WorkspaceId() workspaceId: string,
    @Body() body: changes.CreateWebhookDto,
    @IdempotentRequest() idempotent?: IdempotentRequest,
  ): Promise<CreatedWebhookDto> {
    return this.webhooks.create(workspaceId, body, idempotent);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a webhook', description: 'Without its secret.' })
  @ApiOkResponse({ type: WebhookDto })
  async get(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<WebhookDto> {
    return WebhookDto.of(await this.webhooks.get(workspaceId, id));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change, disable or enable a webhook',
    description: 'Send the fields to change; the others stay as they are.',
  })
  @changes.ApiWebhookChanges()
  @ApiOkResponse({ type: UpdatedDto })
  async update(
    @WorkspaceId() workspaceId: string,
    @PathId() id: string,
    @Body(ChangesPipe) body: changes.UpdateWebhookDto,
  ): Promise<UpdatedDto> {
    await this.webhooks.update(workspaceId, id, body);
    return { updated: true, id };
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Delete a webhook',
    description:
      'Its deliveries go with it. 100,000 of them may take longer than a request: 503. Send it again until it is 200 or 404.',
  })
  @ApiOkResponse({ type: DeletedDto })
  async delete(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<DeletedDto> {
    await this.webhooks.delete(workspaceId, id);
    return { deleted: true, id };
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Replace the secret of a webhook',
    description:
      'The answer contains the new secret, which is shown only this once. For a day, or as long as you say, the previous one ' +
      'signs as well. The one before that ends at once.',
  })
  @changes.ApiRotation()
  @ApiOkResponse({ type: RotatedSecretDto })
  rotateSecret(
    @WorkspaceId() workspaceId: string,
    @PathId() id: string,
    @Body() { previous_valid_for_seconds }: changes.RotateSecretDto,
  ): Promise<RotatedSecretDto> {
    return this.webhooks.rotateSecret(workspaceId, id, previous_valid_for_seconds);
  }
}
