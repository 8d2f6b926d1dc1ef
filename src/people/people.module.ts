import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { Authentication } from './authentication';
import { AcceptingController } from './accepting.controller';
import { AccountController } from './account.controller';
import { AccountService } from './account.service';
import { AdminInvitationsController } from './admin-invitations.controller';
import { Invitation } from './invitation.entity';
import { LinkMails } from './link-mails';
import { InvitationsController } from './invitations.controller';
import { InvitationsService } from './invitations.service';
import { LinksService } from './links.service';
import { Member } from './member.entity';
import { OneTimeLink } from './one-time-link.entity';
import { Passwords } from './passwords';
import { OpenIdController } from './openid.controller';
import { OpenIdService } from './openid.service';
import { PeopleController } from './people.controller';
import { PeopleService } from './people.service';
import { PersonSession } from './person-session.entity';
import { PersonSessions } from './person-sessions.service';
import { Person } from './person.entity';
import { RemovedMember } from './removed-member.entity';
import { SignInThrottle } from './sign-in-throttle';
import { SignInController } from './sign-in.controller';
import { SignInService } from './sign-in.service';

/** People, their workspaces and invitations. They sign in with a password or at an OpenID provider. */
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
    Authentication,
    AccountService,
    LinkMails,
    InvitationsService,
    LinksService,
    OpenIdService,
    Passwords,
    PeopleService,
    PersonSessions,
    SignInService,
    SignInThrottle,
  ],
})
export class PeopleModule {}
