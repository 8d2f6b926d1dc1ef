import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { isId, newId } from '../platform/api/ids';
import type { Language } from '../platform/text/languages';
import { Problem } from '../platform/api/problems/problem';
import { isBlank } from '../platform/api/fields/text';
import { wordsOf } from '../platform/text/search-words';
import { statement } from '../platform/database/transaction/statement';
import { NOW, now } from '../platform/database/time';
import { WordsOfRows } from '../tenancy/work/words-of-rows';
import { theServiceIn } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import type { Work } from '../tenancy/work/work';
import { DeclarationLimits, type Sender } from './declaration-limits';
import { Declaration, ERASED_WORD, WITHOUT_WORDS } from './declaration.entity';
import type { DeclareDto } from './dto/declare.dto';
import type { OpenExitFlow } from './exit-flows.service';

/** Two of the same at once: the second waits, and finds the first. */
const LOCK = statement('SELECT pg_advisory_xact_lock(hashtextextended(:content, 0))');

const EARLIER = statement(
  `SELECT * FROM declarations WHERE workspace_id = :workspace AND content_hash = :hash AND erased_at IS NULL
    AND created_at > ${NOW} - interval '24 hours' ORDER BY created_at LIMIT 1`,
);

/** Letters and digits that nobody takes for others. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** The circumstances of a declaration. */
export interface Circumstances extends Sender {
  language: Language;
  /** The words of the page; null if it is not ours. */
  shown: string | null;
}

/** Declarations of customers on exit pages. They count against no session limit. */
@Injectable()
export class DeclarationsService {
  constructor(
    @InjectRepository(Declaration) private readonly declarations: Repository<Declaration>,
    private readonly units: UnitsOfWork,
    private readonly limits: DeclarationLimits,
    words: WordsOfRows,
  ) {
    words.keep<Declaration>({
      table: 'declarations',
      key: { id: 'uuid' },
      columns: ['number', 'name', 'email', 'contract', 'erased_at'],
      due: `(${WITHOUT_WORDS})`,
      wordsOf: wordsOfDeclaration,
    });
  }

  /** Stores a declaration with its event, both or neither. The same again within 24 hours is the same declaration. */
  async declare(
    workspaceId: string,
    flow: OpenExitFlow,
    sent: DeclareDto,
    { language, shown, ...sender }: Circumstances,
  ): Promise<Declaration> {
    const content = contentOf(sent);
    if (!flow.exit.kinds.includes(content.kind))
      throw Problem.invalid([{ pointer: '/kind', message: 'is not offered by this flow' }]);
    const content_hash = hashOf(flow.flow_id, content);
    const tenant = theServiceIn(workspaceId);
    const known = await this.units.reader(tenant).row<Declaration>(EARLIER, { hash: content_hash });
    if (known) return known;
    await this.limits.admit(flow.flow_id, content_hash, sender);
    return this.units.run(tenant, async (work) => {
      await work.acrossTenants(LOCK, { content: content_hash.toString('hex') });
      const earlier = await work.row<Declaration>(EARLIER, { hash: content_hash });
      if (earlier) return earlier;
      const id = newId();
      const number = newNumber();
      work.insert(Declaration, {
        id,
        number,
        receipt_key: randomUUID(),
        confirmation_key: randomUUID(),
        event_id: await work.emit({ type: 'cancellation.declared', data: { declaration_id: id } }),
        flow_id: flow.flow_id,
        flow_version: flow.flow_version,
        ...content,
        words: wordsOfDeclaration({ workspace_id: work.workspaceId, number, ...content, erased_at: null }),
        language,
        shown,
        team_email: flow.exit.recipient_email ?? flow.notification_email,
        content_hash,
        created_at: now,
      });
      return work.get(Declaration, id);
    });
  }

  /**
   * Erases what says who declared, and why. What was declared, and when, stays as evidence. Returns the declaration;
   * undefined if it was erased before.
   */
  async erase(work: Work, id: string): Promise<Declaration | undefined> {
    const declaration = await work.lock(Declaration, id);
    if (declaration.erased_at) return undefined;
    await work.update(Declaration, id, {
      name: null,
      email: null,
      reason: null,
      words: wordsOfDeclaration({ ...declaration, name: null, email: null, erased_at: declaration.created_at }),
      // Whoever guesses a name could find it by the hash.
      content_hash: randomBytes(32),
      confirmation_key: null,
      erased_at: now,
    });
    return declaration;
  }

  /**
   * Notes that what was declared is done, or that it is not. Returns the declaration; undefined if that was noted
   * before.
   */
  async setDone(work: Work, id: string, isDone: boolean): Promise<Declaration | undefined> {
    const declaration = await work.lock(Declaration, id);
    if ((declaration.done_at !== null) === isDone) return undefined;
    await work.update(Declaration, id, { done_at: isDone ? now : null });
    return declaration;
  }

  /** The declaration that a link to a receipt leads to; undefined if there is none, or it was erased. */
  async byReceipt(workspaceId: string, receiptKey: string): Promise<Declaration | undefined> {
    if (!isId(receiptKey)) return undefined;
    const key = { workspace_id: workspaceId, receipt_key: receiptKey, erased_at: IsNull() };
    return (await this.declarations.findOneBy(key)) ?? undefined;
  }

  /** Notes that its customer confirms a declaration that is not erased. The first time counts. */
  confirm(workspaceId: string, id: string): Promise<void> {
    return this.units.run(theServiceIn(workspaceId), async (work) => {
      const declaration = await work.lock(Declaration, id);
      if (declaration.confirmed_at || declaration.erased_at) return;
      await work.update(Declaration, id, { confirmed_at: now });
    });
  }
}

/** What a team knows of a customer who asks about their declaration. */
export function wordsOfDeclaration({
  workspace_id,
  number,
  name,
  email,
  contract,
  erased_at,
}: Pick<Declaration, 'workspace_id' | 'number' | 'name' | 'email' | 'contract' | 'erased_at'>): string {
  const words = wordsOf(workspace_id, [number, name, email, contract].join(' '), 'parts');
  return erased_at ? `${words} ${ERASED_WORD}` : words;
}

/** The content of a declaration, as it is stored. */
function contentOf({ kind, name, email, contract, termination, reason, when }: DeclareDto) {
  const filled = (text?: string) => (text === undefined || isBlank(text) ? null : text.trim());
  return {
    kind,
    name: name.trim(),
    email,
    contract: contract.trim(),
    termination: kind === 'termination' ? (termination ?? ('ordinary' as const)) : null,
    reason: filled(reason),
    when: filled(when),
  };
}

function hashOf(flowId: string, content: ReturnType<typeof contentOf>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([flowId, content]))
    .digest();
}

/** Twelve characters: 60 random bits. */
function newNumber(): string {
  const characters = [...randomBytes(12)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return characters.replace(/(.{4})(.{4})(.{4})/, '$1-$2-$3');
}
