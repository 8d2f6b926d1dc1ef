import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto, UpdatedDto } from '../../platform/api/changed.dto';
import { PathId } from '../../platform/api/path-id';
import { PageQuery } from '../../platform/api/paging/pagination';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ChangesPipe } from '../../platform/api/fields/validation';
import { CreatedAt } from '../../platform/http/server/created-at';
import { WithETag, WithIfMatch, WithNewETag } from '../../platform/http/server/etag-headers';
import { Idempotent } from '../../platform/http/bodies/idempotent-creation';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { LongWork } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import * as dto from './webhook.dto';
import { WebhooksService } from './webhooks.service';

@ApiTags('Webhooks')
@Controller('api/v1/public/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({ summary: 'List the webhooks', description: 'Newest first, including disabled ones.' })
  @ApiOkResponse({ type: dto.WebhookListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() page: PageQuery): Promise<dto.WebhookListDto> {
    return dto.WebhookListDto.of(await this.webhooks.list(tenant, page));
  }

  @Post()
  @LeastRole('owner')
  @Idempotent()
  @ApiOperation({
    summary: 'Create a webhook',
    description:
      'Events from now on are sent to its URL, signed with the secret in the answer, shown only once. At most 10 webhooks.',
  })
  @dto.ApiNewWebhook()
  @ApiCreatedResponse({ type: dto.CreatedWebhookDto })
  @ApiProblems('key_taken', 'webhook_limit_reached')
  @CreatedAt(dto.PATH_OF_WEBHOOK)
  create(@CurrentTenant() tenant: Tenant, @Body() body: dto.CreateWebhookDto): Promise<dto.CreatedWebhookDto> {
    return this.webhooks.create(tenant, body);
  }

  @Get(':id')
  @LeastRole('viewer')
  @WithETag({ moves: true })
  @ApiOperation({ summary: 'Read a webhook', description: 'Without its secret.' })
  @ApiOkResponse({ type: dto.WebhookDto })
  async get(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<dto.WebhookDto> {
    return dto.WebhookDto.of(await this.webhooks.get(tenant, id));
  }

  @Put(':id')
  @LeastRole('owner')
  @WithIfMatch('the webhook')
  @WithNewETag()
  @ApiOperation({
    summary: 'Change, disable or enable a webhook',
    description: 'Send the fields to change; the others stay as they are.',
  })
  @dto.ApiWebhookChanges()
  @ApiOkResponse({ type: UpdatedDto })
  @ApiProblems('key_taken')
  async update(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body(ChangesPipe) body: dto.UpdateWebhookDto,
  ): Promise<UpdatedDto> {
    await this.webhooks.update(tenant, id, body);
    return { updated: true, id };
  }

  @Delete(':id')
  @LeastRole('owner')
  @WithIfMatch('the webhook')
  @LongWork()
  @ApiOperation({
    summary: 'Delete a webhook',
    description:
      'Deletes its deliveries, too. 100,000 of them may take longer than a request: 503. Send it again until it is 200 or 404.',
  })
  @ApiOkResponse({ type: DeletedDto })
  async delete(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<DeletedDto> {
    await this.webhooks.delete(tenant, id);
    return { deleted: true, id };
  }
}
