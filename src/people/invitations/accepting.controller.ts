import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../../platform/api/problems/problem.dto';
import { ClientAddress } from '../../platform/http/address';
import { OwnPageGuard } from '../../platform/http/files/own-page';
import { Public } from '../../tenancy/access/api-key.guard';
import { AcceptInvitationDto, OpenInvitationDto, TokenDto } from '../dto/invitation.dto';
import * as dto from '../dto/sign-in.dto';
import { InvitationsService } from './invitations.service';
import { OwnSessionCookie, SessionCookie } from '../sign-in/session-cookie';

@ApiTags('Sign-in')
@Public()
@UseGuards(OwnPageGuard)
@Controller('api/v1/auth/invitation')
export class AcceptingController {
  constructor(private readonly invitations: InvitationsService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'auth_readInvitation',
    summary: 'Read an invitation',
    description: 'With the token of its link.',
  })
  @dto.ApiToken()
  @ApiOkResponse({ type: OpenInvitationDto })
  @ApiProblems('link_not_found')
  readInvitation(@Body() { token }: TokenDto): Promise<OpenInvitationDto> {
    return this.invitations.read(token);
  }

  @Post('accept')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'auth_acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'A new person chooses a name and a password; one who is known sends the password that they have. The person is in the ' +
      'workspace then, and is signed in. An invitation sets the password of nobody in another workspace.',
  })
  @dto.ApiAcceptance()
  @ApiOkResponse({ type: dto.SignedInDto })
  @ApiProblems('wrong_credentials', 'link_not_found', 'passwords_off', 'conflict', 'address_limit_reached')
  async acceptInvitation(
    @Body() body: AcceptInvitationDto,
    @ClientAddress() address: string,
    @OwnSessionCookie() cookie: SessionCookie,
  ): Promise<dto.SignedInDto> {
    const signedIn = await this.invitations.accept(body, address);
    cookie.begin(signedIn);
    return dto.SignedInDto.of(signedIn);
  }
}
