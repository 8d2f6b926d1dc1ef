import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ClientAddress } from '../../platform/http/address';
import { OwnPageGuard } from '../../platform/http/files/own-page';
import { Public } from '../../tenancy/access/api-key.guard';
import * as dto from '../dto/sign-in.dto';
import { LinksService } from '../links/links.service';
import { OwnSessionCookie, SessionCookie } from './session-cookie';
import { SignInService } from './sign-in.service';

@ApiTags('Sign-in')
@Public()
@UseGuards(OwnPageGuard)
@Controller('api/v1/auth')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly links: LinksService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'auth_ways', summary: 'Read how people sign in', description: 'For the console.' })
  @ApiOkResponse({ type: dto.WaysToSignInDto })
  ways(): dto.WaysToSignInDto {
    return this.signIn.ways();
  }

  @Post('session')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'auth_signIn',
    summary: 'Sign in with e-mail and password',
    description:
      'The response sets a cookie, with which requests to `/api/v1/public` need no key. It is good for 30 days, and ends 12 hours ' +
      'after the last request. After 10 failures at an account, or 50 of an address, within 15 minutes: 429.',
  })
  @dto.ApiSignIn()
  @ApiOkResponse({ type: dto.SignedInDto })
  @ApiProblems('wrong_credentials', 'passwords_off')
  async create(
    @Body() { email, password }: dto.SignInDto,
    @ClientAddress() address: string,
    @OwnSessionCookie() cookie: SessionCookie,
  ): Promise<dto.SignedInDto> {
    const signedIn = await this.signIn.signIn(email, password, address);
    cookie.begin(signedIn);
    return dto.SignedInDto.of(signedIn);
  }

  @Post('setup')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'auth_setUp',
    summary: 'Become the first person',
    description:
      'With the link that the service prints at its first start, or that `setup-link` makes while there is no person. It works ' +
      'once, within an hour. The person owns the first workspace, and is signed in.',
  })
  @dto.ApiSetUp()
  @ApiOkResponse({ type: dto.SignedInDto })
  @ApiProblems('link_not_found', 'passwords_off')
  async setUp(
    @Body() body: dto.SetUpDto,
    @ClientAddress() address: string,
    @OwnSessionCookie() cookie: SessionCookie,
  ): Promise<dto.SignedInDto> {
    const signedIn = await this.links.setUp(body, address);
    cookie.begin(signedIn);
    return dto.SignedInDto.of(signedIn);
  }

  @Post('password')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'auth_setPassword',
    summary: 'Set a new password with a link',
    description: 'The link works once. The person is signed in, and their other sessions end.',
  })
  @dto.ApiNewPassword()
  @ApiOkResponse({ type: dto.SignedInDto })
  @ApiProblems('link_not_found', 'passwords_off')
  async setPassword(
    @Body() { token, password }: dto.SetPasswordDto,
    @ClientAddress() address: string,
    @OwnSessionCookie() cookie: SessionCookie,
  ): Promise<dto.SignedInDto> {
    const signedIn = await this.links.setPassword(token, password, address);
    cookie.begin(signedIn);
    return dto.SignedInDto.of(signedIn);
  }
}
