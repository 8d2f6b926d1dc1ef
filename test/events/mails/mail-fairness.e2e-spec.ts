import { randomUUID } from 'node:crypto';
import { connected, workerDatabaseUrl } from '../../support/database';
import { MailServer } from '../../support/mail-server';
import { TO_LOOPBACK } from '../../support/receiver';
import { Service, type Tenant } from '../../support/service';
import { until } from '../../support/until';
import { happenToAll, insertSessions } from '../deliveries/many';
import { Subscriber } from '../deliveries/subscriber';

describe('Mails of several workspaces', () => {
  let mailServer: MailServer;
  let service: Service;
  let acme: Tenant;
  let other: Tenant;

  beforeAll(async () => {
    mailServer = await MailServer.start();
    service = await Service.start({
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'flows@acme.example',
      ...TO_LOOPBACK,
    });
  });
  afterAll(async () => {
    await service.stop();
    await mailServer.close();
  });
  beforeEach(async () => {
    acme = await service.workspace();
    other = await service.workspace();
  });

  const newAddresses = (count: number) => Array.from({ length: count }, () => `${randomUUID()}@acme.example`);
  /** Lets so many sessions be canceled of a flow of each address. */
  async function cancel(tenant: Tenant, addresses: string[], sessions = 1): Promise<void> {
    for (const notification_email of addresses) await tenant.publishedFlow({ notification_email });
    await insertSessions(service.database, tenant.id, sessions);
    await happenToAll(service.database, tenant.id, 'session.canceled');
  }
  const count = async ({ id }: Tenant, condition: string): Promise<number> => {
    const [row] = await service.database.query(
      `SELECT count(*)::integer FROM deliveries WHERE workspace_id = $1 AND ${condition}`,
      [id],
    );
    return row.count;
  };
  const untilCount = (tenant: Tenant, condition: string, expected: number) =>
    until(
      () => count(tenant, condition),
      (found) => found === expected,
    );

  it('are sent while the server answers none of another workspace', async () => {
    const silent = newAddresses(6);
    for (const address of silent) mailServer.ignore(address);
    await cancel(other, silent);
    await Promise.race(silent.map((address) => mailServer.received(address, 1)));
    const [address] = newAddresses(1);
    await cancel(acme, [address]);
    await mailServer.received(address, 1);
    expect(await count(other, 'last_error IS NOT NULL')).toBe(0);
    for (const one of silent) mailServer.ignore(one, false);
  });

  it('take turns: one that has a single mail does not wait for all those of another', async () => {
    const [address, ...many] = newAddresses(21);
    await mailServer.close();
    await cancel(other, many);
    await untilCount(other, 'last_error IS NOT NULL', 20);
    await cancel(acme, [address]);
    await untilCount(acme, 'last_error IS NOT NULL', 1);
    await mailServer.open();
    const before = mailServer.mails.length;
    await service.database.query(
      `UPDATE deliveries SET next_attempt_at = now() - CASE workspace_id WHEN $1 THEN interval '0' ELSE interval '1 hour' END
        WHERE workspace_id IN ($1, $2)`,
      [acme.id, other.id],
    );
    await untilCount(other, `status = 'delivered' AND attempts > 0`, 20);
    await mailServer.received(address, 1);
    const order = mailServer.mails.slice(before).map(({ recipients }) => recipients[0]);
    expect(order.indexOf(address)).toBeLessThan(10);
  });

  it('hold up nobody else while another process counts those of the workspace', async () => {
    const addresses = newAddresses(4);
    const subscriber = await Subscriber.of(acme, [], () => 204);
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [other.id]);
      await cancel(other, addresses);
      await untilCount(other, `transport = 'mail'`, 4);
      await subscriber.post('test');
      await subscriber.untilReceived(1);
      expect(await count(other, 'attempts > 0')).toBe(0);
      await client.query('COMMIT');
    });
    await untilCount(other, `status = 'delivered' AND attempts > 0`, 4);
    await Subscriber.stopAll(service);
  });

  it('do not count if they were dropped with their sessions', async () => {
    const [address] = newAddresses(1);
    mailServer.refuse(address, 451);
    await cancel(acme, [address], 30);
    await untilCount(acme, 'last_error IS NOT NULL', 30);
    await service.database.query('DELETE FROM flow_sessions WHERE workspace_id = $1', [acme.id]);
    mailServer.refuse(address);
    await service.letPass('10 seconds', acme);
    await untilCount(acme, `status = 'failed'`, 30);
    await insertSessions(service.database, acme.id, 1);
    await happenToAll(service.database, acme.id, 'session.canceled');
    await mailServer.received(address, 1);
  });

  it('stay below their limit if one becomes due between the count and the claim', async () => {
    const [address] = newAddresses(1);
    mailServer.refuse(address, 451);
    await cancel(acme, [address], 30);
    await untilCount(acme, 'last_error IS NOT NULL', 30);
    await insertSessions(service.database, acme.id, 1);
    await service.database.query(
      `INSERT INTO outbox (workspace_id, id, type, flow_session_ids, created_at)
        SELECT workspace_id, gen_random_uuid(), 'session.canceled', ARRAY[id], now() FROM flow_sessions
        WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1`,
      [acme.id],
    );
    const isLate = `workspace_id = '${acme.id}' AND attempts = 0`;
    await untilCount(acme, 'summary_id = event_id', 1);
    await service.database.query(
      `UPDATE deliveries SET summary_id = NULL, next_attempt_at = now() + interval '1 day' WHERE ${isLate}`,
    );
    await service.database.query(
      `CREATE FUNCTION be_late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        UPDATE deliveries SET next_attempt_at = '2000-01-01' WHERE ${isLate} AND summary_id IS NULL; RETURN NULL;
      END $$;
      CREATE TRIGGER late AFTER UPDATE ON deliveries
        WHEN (pg_trigger_depth() = 0 AND current_query() LIKE '%SET summary_id = carrier%') EXECUTE FUNCTION be_late()`,
    );
    try {
      mailServer.refuse(address);
      await service.letPass('10 seconds', acme);
      await untilCount(acme, `status = 'delivered' AND attempts > 0`, 30);
      await untilCount(acme, 'attempts = 0 AND summary_id = event_id', 1);
    } finally {
      await service.database.query('DROP TRIGGER late ON deliveries; DROP FUNCTION be_late');
    }
  });

  it('are up to 30 an hour to one address of a workspace, of all its flows, however it is written', async () => {
    const [address] = newAddresses(1);
    await cancel(acme, [address, address.toUpperCase()], 20);
    await untilCount(acme, `status = 'delivered' AND attempts > 0`, 30);
    await untilCount(acme, `status IN ('pending', 'delivered') AND attempts = 0`, 10);
  });

  it('are up to 100 an hour of a workspace, to any addresses. Others get theirs, also at these addresses', async () => {
    const addresses = newAddresses(4);
    await cancel(other, addresses, 30);
    await untilCount(other, `status = 'delivered' AND attempts > 0`, 100);
    await untilCount(other, `status IN ('pending', 'delivered') AND attempts = 0`, 20);
    await cancel(acme, addresses);
    await untilCount(acme, `status = 'delivered' AND attempts > 0`, 4);
    await service.letPass('1 hour', other);
    await untilCount(other, `status = 'delivered'`, 120);
  });
});
