import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto, UpdatedDto } from '../../platform/api/changed.dto';
import { PathId } from '../../platform/api/path-id';
import { PageQuery } from '../../platform/api/paging/pagination';
import { ChangesPipe } from '../../platform/api/fields/validation';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ServiceAddress } from '../../platform/http/address';
import { LeastRoleOfPerson } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ApiPersonChanges, PasswordLinkDto, PersonListDto, UpdatePersonDto } from '../dto/person.dto';
import { PeopleService } from './people.service';

@ApiTags('People')
@Controller('api/v1/public/people')
export class PeopleController {
  constructor(private readonly people: PeopleService) {}

  @Get()
  @LeastRoleOfPerson('viewer')
  @ApiOperation({ summary: 'List the people of the workspace', description: 'The newest first.' })
  @ApiOkResponse({ type: PersonListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() page: PageQuery): Promise<PersonListDto> {
    return PersonListDto.of(await this.people.list(tenant, page));
  }

  @Put(':id')
  @LeastRoleOfPerson('viewer')
  @ApiOperation({
    summary: 'Change the role of a person, or what you get by mail',
    description:
      'Owners change the `role`: it counts from the next request of the person on, and somebody has to stay an owner. Everybody sets their own ' +
      '`digest`.',
  })
  @ApiPersonChanges()
  @ApiOkResponse({ type: UpdatedDto })
  @ApiProblems('last_owner', 'insufficient_role')
  async update(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Body(ChangesPipe) changes: UpdatePersonDto,
  ): Promise<UpdatedDto> {
    await this.people.update(tenant, id, changes);
    return { updated: true, id };
  }

  @Delete(':id')
  @LeastRoleOfPerson('owner')
  @ApiOperation({
    summary: 'Remove a person from the workspace',
    description: 'Their next request is refused. Somebody has to stay an owner. What they did stays in the log.',
  })
  @ApiOkResponse({ type: DeletedDto })
  @ApiProblems('last_owner')
  async remove(@CurrentTenant() tenant: Tenant, @PathId() id: string): Promise<DeletedDto> {
    await this.people.remove(tenant, id);
    return { deleted: true, id };
  }

  @Post(':id/password-link')
  @LeastRoleOfPerson('owner')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Make a link with which a person sets a new password',
    description:
      'It is mailed to the person, if the service sends mails; otherwise the answer has it. It works once, within 24 hours, and ' +
      'ends earlier when another is made, when the person changes the password, signs out everywhere or joins another workspace, ' +
      'and when the owner who made it is an owner no more. There is none for a person who is in another workspace, too: whoever ' +
      'has the link can sign in as them.',
  })
  @ApiOkResponse({ type: PasswordLinkDto })
  @ApiProblems('person_in_other_workspaces')
  createPasswordLink(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @ServiceAddress() address: string,
  ): Promise<PasswordLinkDto> {
    return this.people.createPasswordLink(tenant, id, address);
  }
}
