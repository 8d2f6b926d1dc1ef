import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { Idempotency } from '../../platform/database/transaction/idempotency.service';
import { Pipeline } from '../../platform/database/transaction/pipeline.service';
import { Transactions } from '../../platform/database/transaction/transactions';
import { Outbox } from '../../outbox/outbox.service';
import type { Tenant } from './tenant';
import { Reader, Work } from './work';

/** Reads and transactions of tenants. Those that begin within a unit of work join it. */
@Injectable()
export class UnitsOfWork {
  constructor(
    private readonly manager: EntityManager,
    private readonly connections: ConnectionPool,
    private readonly transactions: Transactions,
    private readonly pipeline: Pipeline,
    private readonly idempotency: Idempotency,
    private readonly outbox: Outbox,
  ) {}

  /** Reads outside of a transaction. */
  reader(tenant: Tenant): Reader {
    if (tenant instanceof Reader) return tenant;
    return new Reader(tenant, this.manager, (query) => this.connections.read(tenant.workspaceId, query));
  }

  /** Reads in one transaction: all its statements see the database at one moment. */
  snapshot<T>(tenant: Tenant, read: (reader: Reader) => Promise<T>): Promise<T> {
    if (tenant instanceof Reader) return read(tenant);
    return this.transactions.runOnSnapshot((manager) =>
      read(new Reader(tenant, manager, ({ text, values }) => manager.query(text, values))),
    );
  }

  /** A snapshot for statements that count, and take long: see `Transactions.runLong`. Only `rows` and `row` may. */
  longSnapshot<T>(
    tenant: Tenant,
    until: AbortSignal,
    mostMs: number,
    read: (reader: Reader) => Promise<T>,
  ): Promise<T> {
    return this.transactions.runLong(until, mostMs, ({ query }, manager) =>
      read(new Reader(tenant, manager, ({ text, values }) => query(text, values))),
    );
  }

  /** The same without a snapshot: each statement sees what was committed before it, so also before it got a lock. */
  longRun<T>(tenant: Tenant, until: AbortSignal, mostMs: number, run: (reader: Reader) => Promise<T>): Promise<T> {
    return this.transactions.runLong(
      until,
      mostMs,
      ({ query }, manager) => run(new Reader(tenant, manager, ({ text, values }) => query(text, values))),
      'READ COMMITTED',
    );
  }

  /**
   * Begins a transaction. It is tried again after a deadlock, and repeats the answer of the tenant's idempotency key.
   * So a request with such a key begins only one.
   */
  async run<T>(tenant: Tenant, steps: (work: Work) => T | Promise<T>): Promise<T> {
    if (tenant instanceof Work) return steps(tenant);
    const { result, emitted, etag } = await this.pipeline.run(async (send, manager) => {
      const work = new Work(tenant, manager, send);
      const { workspaceId, idempotent } = tenant;
      const result = await this.idempotency.once(send, workspaceId, idempotent, () => steps(work));
      const etag = tenant.tellETag && (await work.newETag());
      return () => Promise.resolve({ result, emitted: work.emitted, etag });
    });
    for (const workspaceId of emitted) this.outbox.announce(workspaceId);
    if (etag) tenant.tellETag!(etag);
    return result;
  }
}
