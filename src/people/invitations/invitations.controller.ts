import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto } from '../../platform/api/changed.dto';
import { PathId } from '../../platform/api/path-id';
import { PageQuery } from '../../platform/api/paging/pagination';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ServiceAddress } from '../../platform/http/address';
import { CreatedAt } from '../../platform/http/server/created-at';
import { Idempotent } from '../../platform/http/bodies/idempotent-creation';
import { LeastRoleOfPerson } from '../../tenancy/access/api-key.guard';
import { LongWork } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import {
  ApiNewInvitation,
  CreatedInvitationDto,
  CreateInvitationDto,
  InvitationListDto,
  PATH_OF_INVITATION,
} from '../dto/invitation.dto';
import { InvitationsService } from './invitations.service';

@ApiTags('People')
@Controller('api/v1/public/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @LeastRoleOfPerson('owner')
  @ApiOperation({ summary: 'List the open invitations', description: 'Newest first, without their links.' })
  @ApiOkResponse({ type: InvitationListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() page: PageQuery): Promise<InvitationListDto> {
    return InvitationListDto.of(await this.invitations.list(tenant, page));
  }

  @Post()
  @LeastRoleOfPerson('owner')
  @Idempotent()
  @LongWork()
  @ApiOperation({
    summary: 'Invite a person',
    description:
      'The person gets a mail with a link, if the service sends mails. The answer contains the link, too, only this once. It ' +
      'works once, within 7 days. Another invitation of the same address replaces it. A workspace has at most 500 people and open ' +
      'invitations.',
  })
  @ApiNewInvitation()
  @ApiCreatedResponse({ type: CreatedInvitationDto })
  @ApiProblems('already_member', 'people_limit_reached')
  @CreatedAt(PATH_OF_INVITATION)
  create(
    @CurrentTenant() tenant: Tenant,
    @Body() body: CreateInvitationDto,
    @ServiceAddress() address: string,
  ): Promise<CreatedInvitationDto> {
    return this.invitations.create(tenant, body, address);
  }

  @Delete(':id')
  @LeastRoleOfPerson('owner')
  @ApiOperation({ summary: 'Withdraw an invitation', description: 'Its link opens nothing any more.' })
  @ApiOkResponse({ type: DeletedDto })
  async delete(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<DeletedDto> {
    await this.invitations.delete(tenant, id);
    return { deleted: true, id };
  }
}
