import { Body, Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { IncomingHttpHeaders } from 'node:http';
import { Public } from '../tenancy/access/api-key.guard';
import { OutcomeReader } from './outcomes/outcome-reader.service';

/** The webhook for billing systems. Each signs in its own way, so the service gets the body as it was sent. */
@ApiExcludeController()
@Controller('api/v1/billing')
export class ProviderWebhookController {
  constructor(private readonly outcomes: OutcomeReader) {}

  @Post(':provider/webhook/:workspace')
  @Public()
  @HttpCode(200)
  async receive(
    @Param('provider') provider: string,
    @Param('workspace') workspaceId: string,
    @Body() body: object,
    @Headers() headers: IncomingHttpHeaders,
  ): Promise<{ received: true }> {
    await this.outcomes.receive(workspaceId, provider, body, headers);
    return { received: true };
  }
}
