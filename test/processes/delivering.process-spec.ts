import { setTimeout as pause } from 'node:timers/promises';
import { createTenants } from '../faults/support/tenants';
import { connected } from '../support/database';
import { Databases } from '../support/databases';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { ServiceProcess } from '../support/service-process';

const SESSIONS = 5;

describe('Delivering', () => {
  const databases = new Databases();
  let databaseUrl: string;
  let receiver: Receiver;

  beforeEach(async () => {
    databaseUrl = await databases.create();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    await receiver.stop();
    await databases.dropAll();
  });

  const startProcess = async (env: Record<string, string> = {}) => {
    const service = ServiceProcess.start({ DATABASE_URL: databaseUrl, ...TO_LOOPBACK, ...env });
    return { service, address: await service.address() };
  };

  const stop = async (service: ServiceProcess, signal: NodeJS.Signals) => {
    service.signal(signal);
    expect(await service.ended).toBe(0);
  };

  /** Starts sessions of a workspace that is told of each of them. */
  const startSessions = async (address: string) => {
    const [{ slug }] = await createTenants(address, [SESSIONS], receiver.url);
    for (let sessions = 0; sessions < SESSIONS; sessions++) {
      const { status } = await fetch(`${address}/api/v1/runtime/session/init`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ flow_slug: slug }),
      });
      expect(status).toBe(201);
    }
  };

  const deliveries = () =>
    connected(databaseUrl, async (client) => {
      const sql = 'SELECT status, attempts, next_attempt_at <= now() AS is_due FROM deliveries';
      return (await client.query<object>(sql)).rows;
    });

  const all = <Row>(row: Row) => Array.from({ length: SESSIONS }, () => row);
  const receivedIds = () => receiver.received.map(({ id }) => id);

  it('does not happen with SEND_NOTHING, and a line says so at the start', async () => {
    const { service } = await startProcess({ SEND_NOTHING: 'true' });
    expect(service.stdout).toContain('SEND_NOTHING is set: this process sends no webhooks and no mails');
  });

  it('ends with the process: attempts that the receiver answers within 2 s are waited for, and made once', async () => {
    receiver.reply = () => pause(2000, 204);
    const { service, address } = await startProcess();
    await startSessions(address);
    await receiver.untilReceived(SESSIONS);
    await stop(service, 'SIGTERM');
    expect(await deliveries()).toEqual(all({ status: 'delivered', attempts: 1, is_due: null }));
    expect(new Set(receivedIds()).size).toBe(SESSIONS);
    expect(receiver.received).toHaveLength(SESSIONS);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends with the process after %s: attempts at a receiver that hangs are put back, and made again by the next process at once',
    async (signal) => {
      receiver.reply = () => 'hang';
      const first = await startProcess();
      await startSessions(first.address);
      await receiver.untilReceived(SESSIONS);
      await stop(first.service, signal);
      expect(await deliveries()).toEqual(all({ status: 'pending', attempts: 1, is_due: true }));

      receiver.reply = () => 204;
      const next = await startProcess();
      await receiver.untilReceived(2 * SESSIONS);
      await stop(next.service, 'SIGINT');
      expect(await deliveries()).toEqual(all({ status: 'delivered', attempts: 2, is_due: null }));
      expect(receivedIds().slice(SESSIONS).toSorted()).toEqual(receivedIds().slice(0, SESSIONS).toSorted());
    },
  );

  it.each<Record<string, string>>([{ MAX_DELIVERIES_IN_FLIGHT: '0' }, { BACKGROUND_JOBS: 'false' }])(
    'is left to other processes by one with %j',
    async (setting) => {
      const idle = await startProcess({ ...TO_LOOPBACK, ...setting });
      await startSessions(idle.address);
      await stop(idle.service, 'SIGINT');
      await stop((await startProcess(setting)).service, 'SIGINT');
      expect(receiver.received).toEqual([]);
      const { service } = await startProcess();
      await receiver.untilReceived(SESSIONS);
      await stop(service, 'SIGINT');
      expect(receiver.received).toHaveLength(SESSIONS);
    },
  );
});
