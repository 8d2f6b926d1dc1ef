import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DeclarationKind } from '../flows/flow-exit';
import { FlowVersion } from '../flows/versions/flow-version.entity';
import type { Language } from '../platform/text/languages';

export const TERMINATIONS = ['ordinary', 'extraordinary'] as const;
export type Termination = (typeof TERMINATIONS)[number];

/** One of the words of a declaration that was erased. */
export const ERASED_WORD = `'-erased'`;
/** SQL for declarations without words, or with those of what an older version of the service has erased. */
export const WITHOUT_WORDS = `words IS NULL OR (erased_at IS NOT NULL AND NOT words @@ '${ERASED_WORD.replaceAll("'", "''")}'::tsquery)`;

/** A customer's declaration on the exit page of a flow, with the evidence of it. Only erasing changes that. */
@Entity('declarations')
@ForeignKey(() => FlowVersion, ['workspace_id', 'flow_id', 'flow_version'], ['workspace_id', 'flow_id', 'version'], {
  name: 'declarations_flow_version_fkey',
})
@Unique('declarations_number_key', ['workspace_id', 'number'])
@Unique('declarations_receipt_key', ['workspace_id', 'receipt_key'])
@Index('declarations_by_content', ['workspace_id', 'content_hash', 'created_at'])
@Index('declarations_by_age', ['created_at'])
@Index('declarations_words', { synchronize: false })
@Index('declarations_without_words', ['workspace_id', 'id'], { where: WITHOUT_WORDS })
@Index('declarations_open', ['workspace_id', 'id'], { where: 'done_at IS NULL' })
@Check('declarations_kind_check', `kind IN ('termination', 'withdrawal')`)
@Check('declarations_termination_check', `(termination IS NULL) = (kind = 'withdrawal')`)
@Check(
  'declarations_erased_check',
  `(erased_at IS NULL AND name IS NOT NULL AND email IS NOT NULL)
    OR (erased_at IS NOT NULL AND name IS NULL AND email IS NULL AND reason IS NULL)`,
)
export class Declaration {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'declarations_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'declarations_pkey' })
  id: string;

  /** The number that the customer sees and quotes. */
  @Column('text')
  number: string;

  /** The secret of the link to the receipt. */
  @Column('uuid')
  receipt_key: string;

  /** The secret of the link in the mail, by which its reader confirms it. Null once erased, or of an older version. */
  @Column('uuid', { nullable: true })
  confirmation_key: string | null;

  /** Its `cancellation.declared` event. No foreign key: events are deleted earlier. */
  @Column('uuid')
  event_id: string;

  @Column('uuid')
  flow_id: string;

  @Column('integer')
  flow_version: number;

  @Column('text')
  kind: DeclarationKind;

  /** null: erased, like the two others that say who it was. */
  @Column('text', { nullable: true })
  name: string | null;

  @Column('text', { nullable: true })
  email: string | null;

  /** Which contract, in the words of the customer. */
  @Column('text')
  contract: string;

  /** null for a withdrawal. */
  @Column('text', { nullable: true })
  termination: Termination | null;

  @Column('text', { nullable: true })
  reason: string | null;

  /** When the contract should end, in the words of the customer; null: as soon as possible. */
  @Column('text', { nullable: true })
  when: string | null;

  @Column('text')
  language: Language;

  /** The words of the page; null if it was a page of the workspace's own. */
  @Column('text', { nullable: true })
  shown: string | null;

  /** The address of the team that was notified; null if none was. */
  @Column('text', { nullable: true })
  team_email: string | null;

  /** Words to find it by: see `wordsOfDeclaration`. Never read. Null if an older version stored it. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string | null;

  /** The hash of what was sent. */
  @Column('bytea')
  content_hash: Buffer;

  /** When somebody who reads the mails of the address said that it was them; null: nobody has. */
  @Column('timestamptz', { nullable: true })
  confirmed_at: Date | null;

  /** When the team said that it had done what was declared; null while it has not. */
  @Column('timestamptz', { nullable: true })
  done_at: Date | null;

  @Column('timestamptz', { nullable: true })
  erased_at: Date | null;

  @Column('timestamptz')
  created_at: Date;
}
