import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { currencyOf } from '../common/money';
import { Problem } from '../common/problem';
import { now, readTime } from '../database/time';
import type { ReportOutcomeDto } from './dto/outcome.dto';
import { Outcome } from './outcome.entity';

/** How far ahead the clock of whoever reports may be. */
const AHEAD_MS = 60 * 60_000;
const BATCH = 1000;

/**
 * $1: workspace, $2: customer, $3: the id in place of theirs, $4: random, stored nowhere. The id may name the customer, too. Citus
 * refuses functions in an update that return something else each time, so the new ids are hashes.
 */
const ERASE = `
  UPDATE outcomes SET id = md5($4 || id)::uuid, customer_id = NULL, erased_customer = $3
  WHERE workspace_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM outcomes WHERE workspace_id = $1 AND customer_id = $2 ORDER BY at, id LIMIT ${BATCH} FOR UPDATE))`;

/** $1: workspace, $2: the first instant that is kept. */
const DELETE_BEFORE = `
  DELETE FROM outcomes WHERE workspace_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM outcomes WHERE workspace_id = $1 AND at < $2 ORDER BY at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;

/** What became of customers after their sessions. */
@Injectable()
export class OutcomesService {
  constructor(@InjectRepository(Outcome) private readonly outcomes: Repository<Outcome>) {}

  /** Stores an outcome once, however often it is reported. `isNew` says whether this report did. */
  async report(workspaceId: string, report: ReportOutcomeDto): Promise<{ outcome: Outcome; isNew: boolean }> {
    const { id, customer_id, type, amount = null, currency = null } = report;
    if ((amount === null) !== (currency === null)) {
      const pointer = amount === null ? '/amount' : '/currency';
      throw Problem.invalid([{ pointer, message: 'must be given, because amount and currency go together' }]);
    }
    const at = new Date(report.at);
    const latest = (await readTime(this.outcomes.manager)).getTime() + AHEAD_MS;
    if (at.getTime() > latest) throw Problem.invalid([{ pointer: '/at', message: 'must be an hour from now at most' }]);
    const row = { id, customer_id, type, at, amount, currency: currency && currencyOf(currency) };
    // Waits for another report of the same id to be committed, so that the row can be read then.
    const { raw } = await this.outcomes
      .createQueryBuilder()
      .insert()
      .values({ workspace_id: workspaceId, ...row, created_at: now })
      .orIgnore()
      .returning('id')
      .execute();
    const outcome = await this.outcomes.findOneBy({ workspace_id: workspaceId, id });
    // Erased meanwhile.
    if (!outcome) throw new Problem('conflict');
    const fields = Object.keys(row) as (keyof typeof row)[];
    if (fields.some((field) => outcome[field]?.valueOf() !== row[field]?.valueOf())) {
      throw new Problem('outcome_id_reused');
    }
    return { outcome, isNew: (raw as object[]).length > 0 };
  }

  /** Lets something else stand for a customer, in up to 1,000 outcomes. Returns whether there may be more. */
  async erase(workspaceId: string, customerId: string, standIn: string, manager: EntityManager): Promise<boolean> {
    const [, erased] = await manager.query<[unknown, number]>(ERASE, [workspaceId, customerId, standIn, randomUUID()]);
    return erased === BATCH;
  }

  /** Deletes up to 1,000 outcomes that happened before a time. Returns whether there may be more. */
  async deleteBefore(workspaceId: string, time: Date, manager: EntityManager): Promise<boolean> {
    const [, deleted] = await manager.query<[unknown, number]>(DELETE_BEFORE, [workspaceId, time]);
    return deleted === BATCH;
  }
}
