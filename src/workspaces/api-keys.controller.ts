import { Body, Controller, Delete, Get, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PathId } from '../common/ids';
import { pageOf, PageQuery } from '../common/pagination';
import { WithApiKey, WorkspaceId } from './access';
import { ApiKeysService } from './api-keys.service';
import {
  ApiKeyDto,
  ApiKeyListDto,
  ApiNewApiKey,
  CreateApiKeyDto,
  CreatedApiKeyDto,
  pathOfApiKey,
  RevokedDto,
} from './dto/api-key.dto';

@ApiTags('API keys')
@WithApiKey()
@Controller('api/v1/public/api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get()
  @ApiOperation({ summary: 'List the API keys', description: 'Newest first, including revoked and expired ones.' })
  @ApiOkResponse({ type: ApiKeyListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() page: PageQuery): Promise<ApiKeyListDto> {
    const { items, next_cursor } = pageOf(await this.apiKeys.list(workspaceId, page), page.limit);
    return { api_keys: items.map((key) => ApiKeyDto.of(key)), next_cursor };
  }

  @Post()
  @ApiOperation({
    summary: 'Issue an API key',
    description: 'The answer contains the secret, which is shown only this once.',
  })
  @ApiNewApiKey()
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  async create(
    @WorkspaceId() workspaceId: string,
    @Body() body: CreateApiKeyDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedApiKeyDto> {
    const key = await this.apiKeys.issue(workspaceId, body);
    reply.header('location', pathOfApiKey(key));
    return key;
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Revoke an API key', description: 'The very next request with it is refused.' })
  @ApiOkResponse({ type: RevokedDto })
  async revoke(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<RevokedDto> {
    await this.apiKeys.revoke(workspaceId, id);
    return { revoked: true, id };
  }
}
