import { Agent } from 'node:http';
import { type JsonResponse, send } from '../faults/support/http';
import { createTenants, type Tenant } from '../faults/support/tenants';
import { ADMIN_API_KEY } from '../support/environment';
import { databasesForAll, ServiceProcess } from '../support/service-process';

const KEYS = 60;
const WRITES_PER_KEY = 10;
/** Customers of another workspace, one after another. */
const QUEUES_OF_CUSTOMERS = 4;
const MIN_STARTS = 100;

const FLOW = { name: 'Mine', product_name: 'Mine', cancellation_url: 'https://hostile.example/cancel' };

describe('The customers of a workspace', () => {
  const databases = databasesForAll();
  let address: string;
  let victim: Tenant;
  let keys: string[];
  let offerId: string;

  const call = (key: string | undefined, method: string, path: string, body: object, agent?: Agent) =>
    send(agent, method, address + path, body, key === undefined ? {} : { authorization: `Bearer ${key}` });

  beforeAll(async () => {
    const service = ServiceProcess.start({ DATABASE_URL: await databases.create() });
    address = await service.address();
    [victim] = await createTenants(address, [1_000_000]);
    const hostile = (await call(ADMIN_API_KEY, 'POST', '/api/v1/admin/workspaces', { name: 'Hostile' })).body;
    keys = [hostile.api_key.key];
    const issue = () => call(ADMIN_API_KEY, 'POST', `/api/v1/admin/workspaces/${hostile.id}/api-keys`, { name: 'Key' });
    while (keys.length < KEYS) keys.push((await issue()).body.key);
    offerId = (await call(keys[0], 'POST', '/api/v1/public/offers', { name: 'Mine', offer_type: 'custom' })).body.id;
  });

  it.each<[string, (key: string, agent: Agent) => Promise<JsonResponse>]>([
    ['new flows', (key, agent) => call(key, 'POST', '/api/v1/public/flows', FLOW, agent)],
    [
      'changes of an offer',
      (key, agent) => call(key, 'PUT', `/api/v1/public/offers/${offerId}`, { heading: 'Mine' }, agent),
    ],
  ])(
    `all start their sessions while another with ${KEYS} keys sends ${KEYS * WRITES_PER_KEY} writes at once: %s`,
    async (_, write) => {
      const attack = new Agent({ maxSockets: KEYS * WRITES_PER_KEY });
      const over = new AbortController();
      const writes = Promise.all(
        keys.flatMap((key) => Array.from({ length: WRITES_PER_KEY }, () => write(key, attack))),
      ).finally(() => over.abort());
      const statuses: number[] = [];
      const customers = async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const start = () => call(undefined, 'POST', '/api/v1/runtime/session/init', { flow_slug: victim.slug }, agent);
        while (!over.signal.aborted || statuses.length < MIN_STARTS) statuses.push((await start()).status);
        agent.destroy();
      };
      await Promise.all(Array.from({ length: QUEUES_OF_CUSTOMERS }, customers));
      expect(statuses.filter((status) => status !== 201)).toEqual([]);
      // What the other workspace asked for was carried out in its turn, or refused.
      const answers = new Set((await writes).map(({ status }) => status));
      expect([200, 201, 503]).toEqual(expect.arrayContaining([...answers]));
    },
  );
});
