import { LANGUAGES, type Language } from '../../platform/text/languages';
import { pick } from '../../platform/common/pick';
import { Choice, Email, Id, Integer, Text, Time } from '../../platform/api/fields/shown';
import { DECLARATION_KINDS, type DeclarationKind } from '../../flows/flow-exit';
import { type Declaration, type Termination, TERMINATIONS } from '../declaration.entity';
import { dueAt } from '../due';
import { MAX_CONTRACT, MAX_NAME, MAX_REASON, MAX_WHEN } from './declare.dto';

const FIELDS = [
  'id',
  'number',
  'flow_id',
  'flow_version',
  'kind',
  'name',
  'email',
  'contract',
  'termination',
  'reason',
  'when',
  'language',
  'confirmed_at',
  'done_at',
  'erased_at',
] as const;

/** A customer's declaration on the exit page of a flow. */
export class DeclarationDto {
  @Id.like('019a9f3c-d5e6-7f80-9a1b-2c3d4e5f6071')
  id: string;

  @Text(20, 'What the customer sees and names.', '7KQ4-M2XW-9TFA')
  number: string;

  @Id.like('019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a')
  flow_id: string;

  @Integer(1, 'The version that was current when it came.', 1)
  flow_version: number;

  @Choice.like(DECLARATION_KINDS, 'termination')
  kind: DeclarationKind;

  @Text.orNull(MAX_NAME, 'null: erased.', 'Ada Lovelace')
  name: string | null;

  @Email.orNull('null: erased.', 'ada@example.com')
  email: string | null;

  @Text(MAX_CONTRACT, 'In the words of the customer.', 'Customer 4711')
  contract: string;

  @Choice.orNull(TERMINATIONS, 'null for a withdrawal.', 'ordinary')
  termination: Termination | null;

  @Text.orNull(MAX_REASON, 'null: none, or erased.', null)
  reason: string | null;

  @Text.orNull(
    MAX_WHEN,
    'When the contract should end, in the words of the customer; null: as soon as possible.',
    '2026-12-31',
  )
  when: string | null;

  @Choice(LANGUAGES, 'The language of the page and of the receipt.', 'en')
  language: Language;

  @Time.orNull(
    'When something is due: the end of the contract, if the customer named a date; for a withdrawal the money, 14 days ' +
      'after it came. null: as soon as possible.',
    '2026-12-31T00:00:00.000Z',
  )
  due_at: Date | null;

  @Time("When it came, by the database's clock.", '2026-11-21T09:31:00.000Z')
  declared_at: Date;

  @Time.orNull(
    'When somebody who reads the mails of that address confirmed that it was them; null: nobody has. It counts all the same.',
    null,
  )
  confirmed_at: Date | null;

  @Time.orNull('When your team said that it had done what was declared; null: not yet.', null)
  done_at: Date | null;

  @Time.orNull('null: not erased.', null)
  erased_at: Date | null;

  static of(declaration: Declaration): DeclarationDto {
    const { created_at: declared_at } = declaration;
    return { ...pick(declaration, FIELDS), due_at: dueAt(declaration), declared_at };
  }
}
