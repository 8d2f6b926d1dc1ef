import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ClientAddress } from '../../platform/http/address';
import {
  AnyActor,
  AnyPerson,
  type Asking,
  CurrentPerson,
  LeastRole,
  WhoAsks,
} from '../../tenancy/access/api-key.guard';
import { LongWork } from '../../tenancy/access/management-turns';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { AccountService } from './account.service';
import * as dto from '../dto/account.dto';
import { SignedOutDto } from '../dto/sign-in.dto';
import type { SignedInPerson } from '../../tenancy/access/signed-in-person';
import { OwnSessionCookie, SessionCookie } from '../sign-in/session-cookie';

@ApiTags('Account')
@Controller('api/v1/public/me')
export class AccountController {
  constructor(private readonly account: AccountService) {}

  @Get()
  @AnyActor()
  @ApiOperation({
    operationId: 'me_get',
    summary: 'Read who asks, and what they may do',
    description: 'For an API key, and for a person who is signed in.',
  })
  @ApiOkResponse({ type: dto.MeDto })
  get(@WhoAsks() asking: Asking): Promise<dto.MeDto> {
    return this.account.me(asking);
  }

  @Put('password')
  @AnyPerson()
  @LongWork()
  @ApiOperation({
    operationId: 'me_changePassword',
    summary: 'Change your password',
    description: 'Your sessions in other browsers end.',
  })
  @dto.ApiPasswordChange()
  @ApiOkResponse({ type: dto.PasswordChangedDto })
  @ApiProblems('wrong_credentials', 'passwords_off')
  async changePassword(
    @CurrentPerson() person: SignedInPerson,
    @Body() body: dto.ChangePasswordDto,
    @ClientAddress() address: string,
  ): Promise<dto.PasswordChangedDto> {
    await this.account.changePassword(person, body, address);
    return { updated: true };
  }

  @Delete('session')
  @AnyPerson()
  @ApiOperation({ operationId: 'me_signOut', summary: 'Sign out', description: 'Ends the session of this browser.' })
  @ApiOkResponse({ type: SignedOutDto })
  async signOut(
    @CurrentPerson() person: SignedInPerson,
    @OwnSessionCookie() cookie: SessionCookie,
  ): Promise<SignedOutDto> {
    await this.account.signOut(person);
    cookie.clear();
    return { signed_out: true };
  }

  @Delete('sessions')
  @AnyPerson()
  @ApiOperation({
    operationId: 'me_signOutEverywhere',
    summary: 'Sign out everywhere',
    description: 'Ends your sessions in all browsers, this one too.',
  })
  @ApiOkResponse({ type: SignedOutDto })
  async signOutEverywhere(
    @CurrentPerson() person: SignedInPerson,
    @OwnSessionCookie() cookie: SessionCookie,
  ): Promise<SignedOutDto> {
    await this.account.signOutEverywhere(person);
    cookie.clear();
    return { signed_out: true };
  }

  @Post('sign-in')
  @LeastRole('viewer')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'me_signIn',
    summary: 'Record a sign-in with an API key',
    description: 'The console calls it when somebody opens it with an API key, so that the log of changes has it.',
  })
  @ApiOkResponse({ type: dto.NotedDto })
  async noteSignIn(@CurrentTenant() tenant: Tenant): Promise<dto.NotedDto> {
    await this.account.noteSignIn(tenant);
    return { recorded: true };
  }
}
