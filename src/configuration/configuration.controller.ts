import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { WithETag, WithIfMatch } from '../platform/http/server/etag-headers';
import { LargeBody } from '../platform/http/bodies/large-body';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { LongWork } from '../tenancy/access/management-turns';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { ConfigurationService, MAX_BYTES, MAX_VALUES } from './configuration.service';
import { ApiDocument, ApplyQuery, ConfigDto, ConfigPlanDto, ConfigQuery } from './dto/configuration.dto';

@ApiTags('Configuration')
@Controller('api/v1/public/config')
export class ConfigurationController {
  constructor(private readonly configuration: ConfigurationService) {}

  @Get()
  @LeastRole('viewer')
  @LongWork()
  @WithETag()
  @ApiOperation({
    operationId: 'config_get',
    summary: 'Read the workspace as a document',
    description:
      'Audiences, offers, flows as they are live, and the look of the workspace, by keys in place of ids: what another workspace takes. ' +
      'What is of one environment, such as webhooks and addresses, is left out unless you ask for it. Drafts, and what is archived or ' +
      'disabled, are left out, and so are secrets.',
  })
  @ApiOkResponse({ type: ConfigDto })
  @ApiProblems('config_too_large')
  read(@CurrentTenant() tenant: Tenant, @Query() query: ConfigQuery): Promise<ConfigDto> {
    return this.configuration.read(tenant, query);
  }

  @Put()
  // For dry runs. The service asks for more.
  @LeastRole('viewer')
  @WithIfMatch('the document')
  @LongWork()
  @LargeBody({ values: MAX_VALUES, bytes: MAX_BYTES })
  @ApiOperation({
    operationId: 'config_apply',
    summary: 'Make the workspace as a document says',
    description:
      'All of it, or nothing. Things are known by their keys: what the workspace has not is created, what differs is changed, and what an ' +
      'entry leaves out stays as it is, except required fields, which every entry has. The same document again changes nothing. A flow whose content differs gets a new version. A new ' +
      'webhook gets a secret: `POST /webhooks/:id/rotate-secret` shows one. At most 10,000 things and 8 MiB. It needs an owner, or a key ' +
      'that may write; a dry run, any key of the workspace. With values of an environment, such as the `cancellation_url` of a new flow, ' +
      '`If-Match` takes the ETag of `environment=true` alone.',
  })
  @ApiDocument()
  @ApiOkResponse({ type: ConfigPlanDto })
  @ApiProblems(
    'insufficient_scope',
    'insufficient_role',
    'conflict',
    'key_taken',
    'slug_taken',
    'offer_limit_reached',
    'audience_limit_reached',
    'in_use',
    'flow_limit_reached',
    'webhook_limit_reached',
    'version_limit_reached',
    'workspace_version_limit_reached',
    'config_too_large',
  )
  apply(@CurrentTenant() tenant: Tenant, @Body() body: unknown, @Query() query: ApplyQuery): Promise<ConfigPlanDto> {
    return this.configuration.apply(tenant, body, query);
  }
}
