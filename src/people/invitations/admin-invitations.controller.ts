import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../platform/api/path-id';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ServiceAddress } from '../../platform/http/address';
import { CreatedAt } from '../../platform/http/server/created-at';
import { Idempotent } from '../../platform/http/bodies/idempotent-creation';
import { OperatorOnly } from '../../tenancy/access/api-key.guard';
import { LongWork } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ApiNewInvitation, CreatedInvitationDto, CreateInvitationDto, PATH_OF_INVITATION } from '../dto/invitation.dto';
import { InvitationsService } from './invitations.service';

@ApiTags('Operator')
@OperatorOnly()
@Controller('api/v1/admin/workspaces/:id/invitations')
export class AdminInvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Post()
  @LongWork()
  @ApiOperation({
    operationId: 'workspaces_invite',
    summary: 'Invite a person to a workspace',
    description:
      'So a workspace gets its first owner, or another one when nobody can sign in. The person gets a mail with a link, if the ' +
      'service sends mails. The answer contains the link, too, only this once. It works once, within 7 days.',
  })
  @ApiNewInvitation()
  @ApiCreatedResponse({ type: CreatedInvitationDto })
  @ApiProblems('already_member', 'people_limit_reached')
  @CreatedAt(PATH_OF_INVITATION)
  @Idempotent()
  create(
    @CurrentTenant() operator: Tenant,
    @PathId() id: string,
    @Body() body: CreateInvitationDto,
    @ServiceAddress() address: string,
  ): Promise<CreatedInvitationDto> {
    return this.invitations.create(operator, body, address, id);
  }
}
