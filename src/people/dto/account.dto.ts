import { ApiProperty } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { TextField } from '../../platform/api/fields/fields';
import { Choice, Email, Id, Many, One, Text, True } from '../../platform/api/fields/shown';
import { UNPAGED } from '../../platform/api/fields/schemas';
import type { Asking } from '../../tenancy/access/api-key.guard';
import { Actor } from '../../tenancy/access/actor';
import { type Role, ROLES } from '../../tenancy/access/role';
import { MAX_PASSWORD } from '../sign-in/passwords';
import type { Membership } from '../../tenancy/access/signed-in-person';
import { PasswordDto } from './sign-in.dto';

/** A workspace of somebody. */
class OwnWorkspaceDto {
  @Id.like('019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10')
  id: string;

  @Text.like(200, 'Acme')
  name: string;

  @Choice(ROLES, 'What they may do there.', 'owner')
  role: Role;
}

/** The caller, and their rights. */
export class MeDto {
  @One(Actor)
  actor: Actor;

  @Email.orNull('Of a person; null for a key.', 'ada@acme.example')
  email: string | null;

  @Id.orNull(
    'The workspace that the request is about. null if a person has several and `Workspace-Id` names none of them.',
    '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10',
  )
  workspace_id: string | null;

  @ApiProperty({
    type: 'string',
    enum: [...ROLES, null],
    nullable: true,
    example: 'owner',
    description:
      'What they may do in that workspace: an API key that may only read is a `viewer`, any other an `owner`, but ' +
      'people and invitations are for people. null without a workspace.',
  })
  role: Role | null;

  @Many(OwnWorkspaceDto, UNPAGED)
  workspaces: OwnWorkspaceDto[];

  static of({ actor, person, workspaceId, role }: Asking, workspaces: (Membership & { name: string })[]): MeDto {
    return {
      actor,
      email: person?.email ?? null,
      workspace_id: workspaceId ?? null,
      role: role ?? null,
      workspaces: workspaces.map(({ workspace_id, name, role }) => ({ id: workspace_id, name, role })),
    };
  }
}

export class ChangePasswordDto extends PasswordDto {
  @TextField({ description: 'The password that is good now.', example: 'correct horse battery', max: MAX_PASSWORD })
  current_password: string;
}

export const ApiPasswordChange = () =>
  ApiExamples(ChangePasswordDto, {
    'new password': { current_password: 'correct horse battery', password: 'staple correct horse' },
  });

export class PasswordChangedDto {
  @True()
  updated: true;
}

export class NotedDto {
  @True()
  recorded: true;
}
