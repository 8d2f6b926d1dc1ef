import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RevokedDto } from '../common/changed.dto';
import { PathId } from '../common/ids';
import { PageQuery } from '../common/pagination';
import { ApiProblems } from '../common/problem.dto';
import { CreatedAt } from '../http/created-at';
import { IdempotentRequest } from '../http/idempotent-creation';
import { CurrentActor, LeastRole, WorkspaceId } from './access';
import type { Actor } from './actor';
import { ApiKeysService } from './api-keys.service';
import { ApiKeyListDto, ApiNewApiKey, CreateApiKeyDto, CreatedApiKeyDto, PATH_OF_API_KEY } from './dto/api-key.dto';

@ApiTags('API keys')
@Controller('api/v1/public/api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({ summary: 'List the API keys', description: 'Newest first, including revoked and expired ones.' })
  @ApiOkResponse({ type: ApiKeyListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() page: PageQuery): Promise<ApiKeyListDto> {
    return ApiKeyListDto.of(await this.apiKeys.list(workspaceId, page));
  }

  @Post()
  @LeastRole('owner')
  @ApiOperation({
    summary: 'Issue an API key',
    description:
      'The answer contains the secret, which is shown only this once. A workspace has at most 50 keys in use.',
  })
  @ApiNewApiKey()
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  @ApiProblems('api_key_limit_reached')
  @CreatedAt(PATH_OF_API_KEY)
  create(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @Body() body: CreateApiKeyDto,
    @IdempotentRequest() idempotent?: IdempotentRequest,
  ): Promise<CreatedApiKeyDto> {
    return this.apiKeys.create(workspaceId, body, actor, idempotent);
  }

  @Delete(':id')
  @LeastRole('owner')
  @ApiOperation({ summary: 'Revoke an API key', description: 'The very next request with it is refused.' })
  @ApiOkResponse({ type: RevokedDto })
  async revoke(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
  ): Promise<RevokedDto> {
    await this.apiKeys.revoke(workspaceId, id, actor);
    return { revoked: true, id };
  }
}
