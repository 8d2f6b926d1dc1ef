import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { PatternField, TextField, WordsField } from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { Many, Text, Time, WebUrl } from '../../platform/api/fields/shown';
import type { Invitation } from '../invitations/invitation.entity';
import { MAX_PASSWORD } from '../sign-in/passwords';
import { TOKEN } from '../links/token';
import { PersonDto } from './person.dto';

/** Where the workspace deletes an invitation. */
export const PATH_OF_INVITATION = '/api/v1/public/invitations/:id';

/** Somebody who may join the workspace, without the link. */
export class InvitationDto extends PickType(PersonDto, ['id', 'email', 'role', 'created_at']) {
  @Time('When it expires: after 7 days.', '2026-11-28T09:30:00.000Z')
  expires_at: Date;

  static of(invitation: Invitation): InvitationDto {
    return pick(invitation, ['id', 'email', 'role', 'created_at', 'expires_at']);
  }
}

export class InvitationListDto extends PageInfo {
  @Many(InvitationDto, MAX_PAGE)
  invitations: InvitationDto[];

  static of({ items, next_cursor }: Page<Invitation>): InvitationListDto {
    return { invitations: items.map((invitation) => InvitationDto.of(invitation)), next_cursor };
  }
}

export class CreateInvitationDto extends PickType(PersonDto, ['email', 'role']) {}

export const ApiNewInvitation = () =>
  ApiExamples(CreateInvitationDto, { 'an editor': { email: 'grace@acme.example', role: 'editor' } });

export class CreatedInvitationDto extends OmitType(InvitationDto, ['created_at', 'expires_at']) {
  @Time('When it expires: after 7 days.', '2026-11-28T09:30:00.000Z')
  expires_at: string;

  @WebUrl.orNull(
    'The link for the person. It works once, and is shown only here. null if it was mailed: then only the mail has it, and ' +
      'accepting it proves the address. The operator gets it in any case.',
    `https://flows.acme.example/console#/invitation/${'0'.repeat(43)}`,
  )
  link: string | null;

  @ApiProperty({
    example: true,
    description:
      'Whether the mail server took a mail with the link. If not, send it to the person yourself: the service has no ' +
      '`SMTP_URL` or no `PUBLIC_URL`, the mail failed, or it would be the 6th to the address or the 51st of the workspace ' +
      'within an hour.',
  })
  mailed: boolean;
}

/** The token of a link. */
export class TokenDto {
  @PatternField(
    { description: 'What is behind the last `/` of the link.', example: '0'.repeat(43) },
    TOKEN,
    'must be the token of a link: 43 letters, digits, - or _',
  )
  token: string;
}

export class AcceptInvitationDto extends TokenDto {
  @WordsField({
    description: 'The name of a new person. A person who accepts with their own password keeps their name.',
    example: 'Grace Hopper',
    max: 200,
    optional: true,
  })
  name?: string;

  @TextField({
    description: 'The password. A new person chooses one of at least 12 characters.',
    example: 'correct horse battery',
    max: MAX_PASSWORD,
  })
  password: string;
}

/** An invitation as those see it who have its link. */
export class OpenInvitationDto extends PickType(PersonDto, ['email']) {
  @Text(200, 'The name of the workspace.', 'Acme')
  workspace_name: string;

  @ApiProperty({
    example: false,
    description:
      'Whether somebody has proved that this address is theirs. They accept with the password that they have, without a name.',
  })
  is_known: boolean;

  @ApiProperty({
    example: false,
    description:
      'Whether anybody in another workspace has this address, proved or not. With that password one joins as the same person; with ' +
      'a name and any other password, as a new one.',
  })
  may_be_known: boolean;
}
