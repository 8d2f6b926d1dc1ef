import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RevokedDto } from '../../platform/api/changed.dto';
import { PathId } from '../../platform/api/path-id';
import { PageQuery } from '../../platform/api/paging/pagination';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { CreatedAt } from '../../platform/http/server/created-at';
import { Idempotent } from '../../platform/http/bodies/idempotent-creation';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ApiKeysService } from './api-keys.service';
import { ApiKeyListDto, ApiNewApiKey, CreateApiKeyDto, CreatedApiKeyDto, PATH_OF_API_KEY } from '../dto/api-key.dto';

@ApiTags('API keys')
@Controller('api/v1/public/api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({ summary: 'List the API keys', description: 'Newest first, including revoked and expired ones.' })
  @ApiOkResponse({ type: ApiKeyListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() page: PageQuery): Promise<ApiKeyListDto> {
    return ApiKeyListDto.of(await this.apiKeys.list(tenant, page));
  }

  @Post()
  @LeastRole('owner')
  @Idempotent()
  @ApiOperation({
    summary: 'Issue an API key',
    description:
      'The answer contains the secret, which is shown only this once. A workspace has at most 50 keys in use.',
  })
  @ApiNewApiKey()
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  @ApiProblems('api_key_limit_reached')
  @CreatedAt(PATH_OF_API_KEY)
  create(@CurrentTenant() tenant: Tenant, @Body() body: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    return this.apiKeys.create(tenant, body);
  }

  @Delete(':id')
  @LeastRole('owner')
  @ApiOperation({ summary: 'Revoke an API key', description: 'The very next request with it is refused.' })
  @ApiOkResponse({ type: RevokedDto })
  async revoke(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<RevokedDto> {
    await this.apiKeys.revoke(tenant, id);
    return { revoked: true, id };
  }
}
