import { ApiProperty } from '@nestjs/swagger';
import { LANGUAGES, type Language } from '../../platform/common/languages';
import { pick } from '../../platform/common/pick';
import { EMAIL, filledText, ID, integer, TIMESTAMP } from '../../platform/api/schemas';
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
  'erased_at',
] as const;

/** A customer's declaration on the exit page of a flow. */
export class DeclarationDto {
  @ApiProperty({ ...ID, example: '019a9f3c-d5e6-7f80-9a1b-2c3d4e5f6071' })
  id: string;

  @ApiProperty({ ...filledText(20), example: '7KQ4-M2XW-9TFA', description: 'What the customer sees and names.' })
  number: string;

  @ApiProperty({ ...ID, example: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a' })
  flow_id: string;

  @ApiProperty({ ...integer(1), example: 1, description: 'The version that was current when it came.' })
  flow_version: number;

  @ApiProperty({ enum: DECLARATION_KINDS, example: 'termination' })
  kind: DeclarationKind;

  @ApiProperty({ ...filledText(MAX_NAME), nullable: true, example: 'Ada Lovelace', description: 'null: erased.' })
  name: string | null;

  @ApiProperty({ ...EMAIL, nullable: true, example: 'ada@example.com', description: 'null: erased.' })
  email: string | null;

  @ApiProperty({ ...filledText(MAX_CONTRACT), example: 'Customer 4711', description: 'In the words of the customer.' })
  contract: string;

  @ApiProperty({ enum: TERMINATIONS, nullable: true, example: 'ordinary', description: 'null for a withdrawal.' })
  termination: Termination | null;

  @ApiProperty({ ...filledText(MAX_REASON), nullable: true, example: null, description: 'null: none, or erased.' })
  reason: string | null;

  @ApiProperty({
    ...filledText(MAX_WHEN),
    nullable: true,
    example: '2026-12-31',
    description: 'When the contract should end, in the words of the customer; null: as soon as possible.',
  })
  when: string | null;

  @ApiProperty({ enum: LANGUAGES, example: 'en', description: 'The language of the page and of the receipt.' })
  language: Language;

  @ApiProperty({
    ...TIMESTAMP,
    nullable: true,
    example: '2026-12-31T00:00:00.000Z',
    description:
      'When something is due: the end of the contract, if the customer named a date; for a withdrawal the money, 14 days ' +
      'after it came. null: as soon as possible.',
  })
  due_at: Date | null;

  @ApiProperty({
    ...TIMESTAMP,
    example: '2026-11-21T09:31:00.000Z',
    description: "When it came, by the database's clock.",
  })
  declared_at: Date;

  @ApiProperty({ ...TIMESTAMP, nullable: true, example: null, description: 'null: not erased.' })
  erased_at: Date | null;

  static of(declaration: Declaration): DeclarationDto {
    const { created_at: declared_at } = declaration;
    return { ...pick(declaration, FIELDS), due_at: dueAt(declaration), declared_at };
  }
}
