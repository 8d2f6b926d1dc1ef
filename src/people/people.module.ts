import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SignIns } from '../tenancy/access/sign-ins';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { AcceptingController } from './invitations/accepting.controller';
import { AccountController } from './members/account.controller';
import { AccountService } from './members/account.service';
import { AdminInvitationsController } from './invitations/admin-invitations.controller';
import { Invitation } from './invitations/invitation.entity';
import { LinkMails } from './links/link-mails';
import { InvitationsController } from './invitations/invitations.controller';
import { InvitationsService } from './invitations/invitations.service';
import { LinksService } from './links/links.service';
import { Member } from './members/member.entity';
import { OneTimeLink } from './links/one-time-link.entity';
import { CookieSignIns } from './sign-in/cookie-sign-ins';
import { Passwords } from './sign-in/passwords';
import { OpenIdController } from './sign-in/openid.controller';
import { OpenIdService } from './sign-in/openid.service';
import { PeopleController } from './members/people.controller';
import { PeopleService } from './members/people.service';
import { PersonSession } from './sign-in/person-session.entity';
import { PersonSessions } from './sign-in/person-sessions.service';
import { Person } from './person.entity';
import { DigestsService } from './members/digests.service';
import { RemovedMember } from './members/removed-member.entity';
import { SignInThrottle } from './sign-in/sign-in-throttle';
import { SignInController } from './sign-in/sign-in.controller';
import { SignInService } from './sign-in/sign-in.service';

/** People, their workspaces and invitations. They sign in with a password or at an OpenID provider. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Person, Member, PersonSession, Invitation, OneTimeLink, RemovedMember]),
    WorkspacesModule,
  ],
  controllers: [
    PeopleController,
    InvitationsController,
    AccountController,
    SignInController,
    AcceptingController,
    OpenIdController,
    AdminInvitationsController,
  ],
  providers: [
    AccountService,
    DigestsService,
    LinkMails,
    InvitationsService,
    LinksService,
    OpenIdService,
    Passwords,
    PeopleService,
    PersonSessions,
    SignInService,
    SignInThrottle,
    { provide: SignIns, useClass: CookieSignIns },
  ],
  exports: [SignIns, PeopleService, DigestsService],
})
export class PeopleModule {}
