import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto, UpdatedDto } from '../../platform/api/changed.dto';
import { PathId } from '../../platform/api/path-id';
import { PageQuery } from '../../platform/api/paging/pagination';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ChangesPipe } from '../../platform/api/fields/validation';
import { CreatedAt } from '../../platform/http/server/created-at';
import { Idempotent } from '../../platform/http/bodies/idempotent-creation';
import { WithETag, WithIfMatch, WithNewETag } from '../../platform/http/server/etag-headers';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import * as dto from './audience.dto';
import { AudiencesService } from './audiences.service';

@ApiTags('Audiences')
@Controller('api/v1/public/audiences')
export class AudiencesController {
  constructor(private readonly audiences: AudiencesService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({ summary: 'List the audiences', description: 'Newest first.' })
  @ApiOkResponse({ type: dto.AudienceListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() page: PageQuery): Promise<dto.AudienceListDto> {
    return dto.AudienceListDto.of(await this.audiences.list(tenant, page));
  }

  @Post()
  @LeastRole('editor')
  @Idempotent()
  @ApiOperation({
    summary: 'Create an audience',
    description: 'Branches of flows go by it: `{"audience": "<id>"}` among their conditions. At most 100 audiences.',
  })
  @dto.ApiNewAudience()
  @ApiCreatedResponse({ type: dto.CreatedAudienceDto })
  @ApiProblems('key_taken', 'audience_limit_reached')
  @CreatedAt('/api/v1/public/audiences/:id')
  create(@CurrentTenant() tenant: Tenant, @Body() body: dto.CreateAudienceDto): Promise<dto.CreatedAudienceDto> {
    return this.audiences.create(tenant, body);
  }

  @Get(':id')
  @LeastRole('viewer')
  @WithETag()
  @ApiOperation({ summary: 'Read an audience', description: 'Its conditions, as they are now.' })
  @ApiOkResponse({ type: dto.AudienceDto })
  async get(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<dto.AudienceDto> {
    return dto.AudienceDto.of(await this.audiences.get(tenant, id));
  }

  @Put(':id')
  @LeastRole('editor')
  @WithIfMatch('the audience')
  @WithNewETag()
  @ApiOperation({
    summary: 'Change an audience',
    description:
      'Send the fields to change; the others stay as they are. Versions of flows hold the conditions of when they were published: flows ' +
      'whose audience has changed since have `audiences_changed`, and take the new ones when they are published again.',
  })
  @dto.ApiAudienceChanges()
  @ApiOkResponse({ type: UpdatedDto })
  @ApiProblems('key_taken')
  async update(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body(ChangesPipe) changes: dto.UpdateAudienceDto,
  ): Promise<UpdatedDto> {
    await this.audiences.update(tenant, id, changes);
    return { updated: true, id };
  }

  @Delete(':id')
  @LeastRole('editor')
  @WithIfMatch('the audience')
  @ApiOperation({
    summary: 'Delete an audience',
    description: 'Refused while a flow names it, live or in its draft. Earlier versions keep what they hold of it.',
  })
  @ApiOkResponse({ type: DeletedDto })
  @ApiProblems('in_use')
  async delete(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<DeletedDto> {
    await this.audiences.delete(tenant, id);
    return { deleted: true, id };
  }
}
