import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdminWorkspacesController } from './admin-workspaces.controller';
import { ApiKey } from './api-key.entity';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { Authentication } from './authentication';
import { CustomerKey } from './customer-key.entity';
import { CustomerKeysController } from './customer-keys.controller';
import { CustomerKeysService } from './customer-keys.service';
import { AcceptingController } from './people/accepting.controller';
import { AccountController } from './people/account.controller';
import { AccountService } from './people/account.service';
import { AdminInvitationsController } from './people/admin-invitations.controller';
import { Invitation } from './people/invitation.entity';
import { LinkMails } from './people/link-mails';
import { InvitationsController } from './people/invitations.controller';
import { InvitationsService } from './people/invitations.service';
import { LinksService } from './people/links.service';
import { Member } from './people/member.entity';
import { OneTimeLink } from './people/one-time-link.entity';
import { Passwords } from './people/passwords';
import { OpenIdController } from './people/openid.controller';
import { OpenIdService } from './people/openid.service';
import { PeopleController } from './people/people.controller';
import { PeopleService } from './people/people.service';
import { PersonSession } from './people/person-session.entity';
import { PersonSessions } from './people/person-sessions.service';
import { Person } from './people/person.entity';
import { SignInThrottle } from './people/sign-in-throttle';
import { SignInController } from './people/sign-in.controller';
import { SignInService } from './people/sign-in.service';
import { WorkspaceCode } from './workspace-code.entity';
import { WorkspaceCodes } from './workspace-codes.service';
import { Workspace } from './workspace.entity';
import { WorkspaceController } from './workspace.controller';
import { WorkspacesService } from './workspaces.service';

const ENTITIES = [Workspace, WorkspaceCode, ApiKey, CustomerKey];
const ENTITIES_OF_PEOPLE = [Person, Member, PersonSession, Invitation, OneTimeLink];
const SERVICES_OF_PEOPLE = [
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
];

@Module({
  imports: [TypeOrmModule.forFeature([...ENTITIES, ...ENTITIES_OF_PEOPLE])],
  controllers: [
    WorkspaceController,
    ApiKeysController,
    CustomerKeysController,
    PeopleController,
    InvitationsController,
    AccountController,
    SignInController,
    AcceptingController,
    OpenIdController,
    AdminWorkspacesController,
    AdminInvitationsController,
  ],
  providers: [
    WorkspacesService,
    WorkspaceCodes,
    ApiKeysService,
    CustomerKeysService,
    ...SERVICES_OF_PEOPLE,
    Authentication,
  ],
  exports: [WorkspacesService, WorkspaceCodes, CustomerKeysService],
})
export class WorkspacesModule {}
