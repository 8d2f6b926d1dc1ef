import { ApiProperty } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { ChoiceField, EmailField, IdField, WordsField } from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { Many, Time, WebUrl } from '../../platform/api/fields/shown';
import { type Role, ROLES } from '../../tenancy/access/role';
import { type Digest, DIGESTS } from '../members/member.entity';
import type { PersonOfWorkspace } from '../members/people.service';

const DIGEST =
  'How often the person gets the report of the workspace by mail. `weekly`: each Monday, of the week before. `monthly`: on the first, of the ' +
  'month before. Both at 06:00 UTC, if the service sends mails (`SMTP_URL`). null: never.';

/** A person of a workspace. */
export class PersonDto {
  @IdField({ description: 'The id of the person.', example: '019a9f3c-6c20-7d11-8e3a-4b5c6d7e8f90' })
  id: string;

  @WordsField({ description: 'The name of the person.', example: 'Ada Lovelace', max: 200 })
  name: string;

  @EmailField({ description: 'The address that the person signs in with, in lower case.', example: 'ada@acme.example' })
  email: string;

  @ChoiceField({
    description:
      'What the person may do in the workspace: `viewer` reads; `editor` also changes flows and offers and publishes them; ' +
      '`owner` also changes everything else, people included.',
    values: ROLES,
    example: 'editor',
  })
  role: Role;

  @ChoiceField({ description: DIGEST, values: DIGESTS, example: 'monthly', nullable: true })
  digest: Digest | null;

  @Time('When the person joined.', '2026-11-21T09:30:00.000Z')
  created_at: Date;

  static of(person: PersonOfWorkspace): PersonDto {
    return pick(person, ['id', 'name', 'email', 'role', 'digest', 'created_at']);
  }
}

export class PersonListDto extends PageInfo {
  @Many(PersonDto, MAX_PAGE)
  people: PersonDto[];

  static of({ items, next_cursor }: Page<PersonOfWorkspace>): PersonListDto {
    return { people: items.map((person) => PersonDto.of(person)), next_cursor };
  }
}

export class UpdatePersonDto {
  @ChoiceField({
    description: 'What the person may do from now on. Only owners change it.',
    values: ROLES,
    example: 'editor',
    optional: true,
  })
  role?: Role;

  @ChoiceField({
    description: `${DIGEST} Everybody sets their own.`,
    values: DIGESTS,
    example: 'monthly',
    optional: true,
    nullable: true,
  })
  digest?: Digest | null;
}

export const ApiPersonChanges = () =>
  ApiExamples(UpdatePersonDto, { role: { role: 'editor' }, 'the report each Monday': { digest: 'weekly' } });

export class PasswordLinkDto {
  @WebUrl.orNull(
    'The link, if it was not mailed. Send it to the person. It works once, within 24 hours, and is shown only here.',
    `https://flows.acme.example/console#/password/${'0'.repeat(43)}`,
  )
  link: string | null;

  @ApiProperty({
    example: false,
    description:
      'Whether the mail server took a mail with the link: then nobody else gets it. If not, the service has no `SMTP_URL` or no ' +
      '`PUBLIC_URL`, the mail failed, or it would be the 6th to the address or the 51st of the workspace within an hour.',
  })
  mailed: boolean;
}
