import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../platform/api/path-id';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import * as dto from './webhook.dto';
import { WebhooksService } from './webhooks.service';

@ApiTags('Webhooks')
@Controller('api/v1/public/webhooks')
export class WebhookSecretsController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post(':id/rotate-secret')
  @LeastRole('owner')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'webhooks_rotateSecret',
    summary: 'Replace the secret of a webhook',
    description:
      'The answer contains the new secret, which is shown only this once. For a day, or as long as you say, the previous one ' +
      'signs as well. The one before that ends at once.',
  })
  @dto.ApiRotation()
  @ApiOkResponse({ type: dto.RotatedSecretDto })
  rotateSecret(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body() { previous_valid_for_seconds }: dto.RotateSecretDto,
  ): Promise<dto.RotatedSecretDto> {
    return this.webhooks.rotateSecret(tenant, id, previous_valid_for_seconds);
  }
}
