import { connected } from '../../support/database';
import { findInconsistencies } from './consistency';
import { findUndelivered, untilDelivered } from './delivery';
import type { ErraticReceiver } from './erratic-receiver';
import { Load } from './load';
import type { PostgresServer } from './postgres-server';
import { integer, type Random, sequence } from './seed';
import { POOL_SIZE, type ServiceUnderFault } from './service-under-fault';
import { createTenants, type Tenant } from './tenants';
import { until } from './until';

const NO_LIMIT = 2 ** 31 - 1;

/** One fault scenario: load runs, something breaks, and afterwards every counter must match the rows. */
export class Scenario {
  private constructor(
    private readonly name: string,
    public postgres: PostgresServer,
    private readonly database: string,
    readonly random: Random,
    private readonly tenants: Tenant[],
    readonly load: Load,
  ) {}

  static async prepare(
    name: string,
    seed: number,
    postgres: PostgresServer,
    database: string,
    service: ServiceUnderFault,
    receiver?: ErraticReceiver,
  ): Promise<Scenario> {
    const random = sequence(seed, name);
    // Some reach their limit before the fault, some after it, and most never.
    const limits = [integer(random, 5, 50), integer(random, 50, 200)];
    const unlimited = Array.from({ length: POOL_SIZE }, () => NO_LIMIT);
    const tenants = await createTenants(service.url, [...limits, ...unlimited], receiver?.url);
    const load = new Load(service.url, tenants, seed);
    return new Scenario(name, postgres, database, random, tenants, load);
  }

  /** Starts the load, and waits until it is under way. */
  async warmUp(): Promise<void> {
    this.load.begin();
    await this.load.untilAcknowledged(integer(this.random, 100, 500));
  }

  /**
   * The fault is over: waits until all clients are served again without further errors, and checks counters against
   * rows.
   */
  async verifyRecovery(): Promise<void> {
    const recoveryMs = await this.load.untilServed();
    const { unavailable, lost, slowestMs, acknowledged: early } = this.load;
    await this.load.untilAcknowledged(200);
    await this.load.end();
    expect({ unavailable: this.load.unavailable, lost: this.load.lost }).toEqual({ unavailable, lost });

    await this.verifyPool();
    const limited = this.tenants.filter(({ limit }) => limit < NO_LIMIT);
    for (const tenant of limited) await this.load.startBeyondLimit(tenant);
    const unknown = this.load.starts.filter(({ session_id, refused }) => !session_id && !refused).length;
    await this.load.retryAll();

    const { starts, acknowledged, violations } = this.load;
    process.stdout.write(
      `  ${this.name}: ${acknowledged} sessions acknowledged (${early} when it was over), ${unknown} retried with ` +
        `an unknown outcome, ${unavailable} times 503, ${lost} connections lost, slowest response ${slowestMs} ms, ` +
        `served again after ${recoveryMs} ms\n`,
    );
    expect([...violations]).toEqual([]);
    expect(await findInconsistencies(this.postgres, this.database, this.tenants, starts)).toEqual([]);
    const used = limited.map(({ id }) => starts.filter(({ tenant, session_id }) => tenant.id === id && session_id));
    expect(used.map(({ length }) => length)).toEqual(limited.map(({ limit }) => limit));
  }

  /**
   * The fault is over: ends the load when all clients are served again, and checks what the webhooks received against
   * the rows.
   */
  async verifyDelivery(receiver: ErraticReceiver): Promise<void> {
    const recoveryMs = await this.load.untilServed();
    await this.load.end();
    const deliveredMs = await untilDelivered(this.postgres, this.database);

    const { unavailable, lost, violations } = this.load;
    const { events, requests } = receiver;
    const ends = [...events.values()].filter(({ type }) => type !== 'session.started').length;
    process.stdout.write(
      `  ${this.name}: ${events.size - ends} starts and ${ends} ends received in ${requests} requests, ` +
        `${unavailable} times 503, ${lost} connections lost, served again after ${recoveryMs} ms, ` +
        `all delivered after another ${deliveredMs} ms\n`,
    );
    expect([...violations]).toEqual([]);
    expect(await findUndelivered(this.postgres, this.database, this.tenants, receiver)).toEqual([]);
  }

  /** For the end of a test, also one that failed. */
  stopLoad(): Promise<void> {
    return this.load.end();
  }

  /**
   * Checks that no connection for locked workspaces leaked: locks workspaces until as many starts wait as may go alone.
   */
  private async verifyPool(): Promise<void> {
    const unlimited = this.tenants.filter(({ limit }) => limit === NO_LIMIT);
    const waiting = async () => {
      const sql = `SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`;
      return (await this.postgres.query(sql, [this.database])).length;
    };
    await connected(this.postgres.url(this.database), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspaces WHERE id = ANY ($1) FOR UPDATE', [unlimited.map(({ id }) => id)]);
      const pending = this.load.startInEach(unlimited);
      const alone = Math.ceil(POOL_SIZE / 4);
      await until('every connection for locked workspaces is in use', async () => (await waiting()) === alone);
      await client.query('ROLLBACK');
      await pending;
    });
  }
}
