import { Controller, Get, Query, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ServiceAddress } from '../../platform/http/address';
import { Public } from '../../tenancy/access/api-key.guard';
import { OpenIdService } from './openid.service';
import { OpenIdCookie, OwnOpenIdCookie, OwnSessionCookie, SessionCookie } from './session-cookie';

/** The routes of OpenID Connect for browsers, which are sent from page to page. */
@ApiExcludeController()
@Public()
@Controller('api/v1/auth/openid')
export class OpenIdController {
  constructor(private readonly openId: OpenIdService) {}

  @Get()
  @Redirect()
  async begin(@ServiceAddress() address: string, @OwnOpenIdCookie() cookie: OpenIdCookie): Promise<{ url: string }> {
    const { url, kept } = await this.openId.begin(address);
    cookie.keep(kept);
    return { url };
  }

  @Get('callback')
  @Redirect()
  async finish(
    @Query() query: Record<string, string>,
    @ServiceAddress() address: string,
    @OwnOpenIdCookie() kept: OpenIdCookie,
    @OwnSessionCookie() cookie: SessionCookie,
  ): Promise<{ url: string }> {
    const signedIn = await this.openId.finish(query, kept.take(), address);
    if (!signedIn) return { url: '../../../../console#/sign-in/refused' };
    cookie.begin(signedIn);
    return { url: '../../../../console' };
  }
}
