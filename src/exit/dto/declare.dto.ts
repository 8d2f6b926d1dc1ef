import { ApiExamples } from '../../platform/api/fields/api-examples';
import { ChoiceField, EmailField, Field, TextField, WordsField } from '../../platform/api/fields/fields';
import { LocaleField } from '../../platform/api/fields/language-fields';
import { Choice, Text, Time, WebUrl } from '../../platform/api/fields/shown';
import { anyText } from '../../platform/api/fields/schemas';
import { isText } from '../../platform/api/fields/text';
import { DECLARATION_KINDS, type DeclarationKind } from '../../flows/flow-exit';
import { type Declaration, type Termination, TERMINATIONS } from '../declaration.entity';

export const MAX_NAME = 200;
export const MAX_CONTRACT = 500;
export const MAX_REASON = 2000;
export const MAX_WHEN = 100;
const MAX_PROOF = 64;

const isTermination = (body: object) => (body as DeclareDto).kind === 'termination';
const ofTermination = (isValid: (value: unknown) => boolean) => (value: unknown, body: object) =>
  isTermination(body) && isValid(value);

/** A declaration as a customer sends it. */
export class DeclareDto {
  @ChoiceField({
    description: '`termination` of the contract, or `withdrawal` from it. The flow has to offer it.',
    values: DECLARATION_KINDS,
    example: 'termination',
  })
  kind: DeclarationKind;

  @WordsField({ description: 'Who declares.', max: MAX_NAME, example: 'Ada Lovelace' })
  name: string;

  @EmailField({ description: 'Gets the receipt.', example: 'ada@example.com' })
  email: string;

  @WordsField({
    description: 'Which contract, such as the number of the customer or of the contract.',
    max: MAX_CONTRACT,
    example: 'Customer 4711',
  })
  contract: string;

  @Field(
    { description: 'Only for a termination. Without it: `ordinary`.', optional: true, example: 'ordinary' },
    { type: 'string', enum: TERMINATIONS },
    `must be one of ${TERMINATIONS.join(', ')}, and only with the kind termination`,
    ofTermination((value) => TERMINATIONS.includes(value as Termination)),
  )
  termination?: Termination;

  @Field(
    { description: 'Only for a termination: why, if there is a reason to name.', optional: true },
    anyText(MAX_REASON),
    `must be text of at most ${MAX_REASON} characters, and only with the kind termination`,
    ofTermination((value) => isText(value, MAX_REASON)),
  )
  reason?: string;

  @Field(
    {
      description: 'Only for a termination: when the contract should end. Without it: as soon as possible.',
      optional: true,
      example: '2026-12-31',
    },
    anyText(MAX_WHEN),
    `must be text of at most ${MAX_WHEN} characters, and only with the kind termination`,
    ofTermination((value) => isText(value, MAX_WHEN)),
  )
  when?: string;

  @TextField({
    description: 'A proof of work, if the service asked for one (429 `proof_required`).',
    max: MAX_PROOF,
    optional: true,
  })
  proof?: string;
}

export class DeclareQuery {
  @LocaleField({
    description:
      'The language of the receipt. If the service has no words in it, and without it: what `Accept-Language` prefers, else English.',
    optional: true,
  })
  lang?: string;
}

export class DeclaredDto {
  @Text(20, 'The number to tell the customer.', '7KQ4-M2XW-9TFA')
  number: string;

  @Choice.like(DECLARATION_KINDS, 'termination')
  kind: DeclarationKind;

  @Time('When it came.', '2026-11-21T09:31:00.000Z')
  declared_at: Date;

  @WebUrl(
    'The receipt, for the customer alone. With `.txt` or `.html` behind it, a file.',
    'https://flows.acme.example/exit/leaving-acme-pro-x7k2m9qa/receipt/0b9d7c1e-5a3f-4c2d-9e8b-7a6f5e4d3c2b',
  )
  receipt_url: string;

  static of({ number, kind, created_at, receipt_key }: Declaration, page: string): DeclaredDto {
    return { number, kind, declared_at: created_at, receipt_url: `${page}/receipt/${receipt_key}` };
  }
}

export const ApiDeclaration = () =>
  ApiExamples(DeclareDto, {
    termination: {
      kind: 'termination',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      contract: 'Customer 4711',
      termination: 'ordinary',
      when: '2026-12-31',
    },
    withdrawal: { kind: 'withdrawal', name: 'Ada Lovelace', email: 'ada@example.com', contract: 'Order 0815' },
  });
