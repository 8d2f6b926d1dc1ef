import { BooleanField, EmailField, Field } from '../../platform/api/fields/fields';
import { DECLARATION_KINDS, type DeclarationKind, type FlowExit } from '../flow-exit';

export class ExitFieldsDto implements FlowExit {
  @BooleanField({
    description: 'Whether customers can declare on `/exit/:slug`. It works whatever the `status` of the flow.',
  })
  enabled: boolean;

  @Field(
    {
      description:
        'What they can declare: `termination` alone unless told. The page begins with the first, and leads to the other.',
      optional: true,
    },
    {
      type: 'array',
      items: { type: 'string', enum: DECLARATION_KINDS },
      uniqueItems: true,
      minItems: 1,
      maxItems: DECLARATION_KINDS.length,
    },
    'must be a list of termination, withdrawal or both, without duplicates',
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      new Set(value).size === value.length &&
      value.every((kind) => DECLARATION_KINDS.includes(kind as DeclarationKind)),
  )
  kinds: DeclarationKind[];

  @EmailField({
    description:
      'Gets a mail about each declaration, and is named on the page as another way to declare. null: the ' +
      '`notification_email` gets the mails, and the page names no address.',
    example: 'contracts@acme.example',
    default: null,
    optional: true,
    nullable: true,
  })
  recipient_email: string | null;

  @EmailField({
    description:
      'The sender of receipts, at a domain that the operator allows with `CONFIRMATION_DOMAINS`. null: `MAIL_FROM`, which also ' +
      'sends them if the operator takes the domain back.',
    example: 'contracts@acme.example',
    default: null,
    optional: true,
    nullable: true,
  })
  confirmation_from: string | null;

  @BooleanField({
    description:
      'Whether a customer gets a receipt for each session that they cancel, if your backend signed who they are, with an e-mail address.',
    default: false,
    optional: true,
  })
  session_receipts: boolean;
}

/** A whole: fields that are left out have their defaults. */
export class FlowExitDto extends ExitFieldsDto {
  override kinds: DeclarationKind[] = ['termination'];
  override recipient_email: string | null = null;
  override confirmation_from: string | null = null;
  override session_receipts = false;
}
