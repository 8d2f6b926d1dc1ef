import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../common/ids';
import { PageQuery } from '../common/pagination';
import { CreatedAt } from '../http/created-at';
import { IdempotentRequest } from '../http/idempotency-key';
import { WithApiKey, WorkspaceId } from './access';
import { ApiKeysService } from './api-keys.service';
import {
  ApiKeyListDto,
  ApiNewApiKey,
  CreateApiKeyDto,
  CreatedApiKeyDto,
  PATH_OF_API_KEY,
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
    return ApiKeyListDto.of(await this.apiKeys.list(workspaceId, page));
  }

  @Post()
  @ApiOperation({
    summary: 'Issue an API key',
    description: 'The answer contains the secret, which is shown only this once.',
  })
  @ApiNewApiKey()
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  @CreatedAt(PATH_OF_API_KEY)
  create(
    @WorkspaceId() workspaceId: string,
    @Body() body: CreateApiKeyDto,
    @IdempotentRequest() idempotent?: IdempotentRequest,
  ): Promise<CreatedApiKeyDto> {
    return this.apiKeys.create(workspaceId, body, idempotent);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Revoke an API key', description: 'The very next request with it is refused.' })
  @ApiOkResponse({ type: RevokedDto })
  async revoke(@WorkspaceId() workspaceId: string, @PathId() id: string): Promise<RevokedDto> {
    await this.apiKeys.revoke(workspaceId, id);
    return { revoked: true, id };
  }
}
