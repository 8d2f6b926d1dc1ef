import { send } from '../faults/support/http';
import { createTenants, type Tenant } from '../faults/support/tenants';
import { ADMIN_API_KEY } from '../support/environment';
import { databasesForAll, ServiceProcess } from '../support/service-process';

const REQUESTS = 300;
const AT_ONCE = 20;
const MIN_STARTS = 20;
/** How long the widget waits for a start before the customer goes on to the cancellation page. */
const PATIENCE_MS = 3000;

const KIB = 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

type Attack = (n: number) => { method?: string; path: string; headers?: Record<string, string>; body?: string };

/** As much of a text as has room in a header or a small body. */
const filled = (text: string, size = 15 * KIB) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
const longNumber = (size: number) => `{"a":1.${'0'.repeat(size)}1}`;

const INIT = '/api/v1/runtime/session/init';
const SESSION = '/api/v1/runtime/session/00000000-0000-7000-8000-000000000000';
const CONFIG = '/api/v1/public/config';
const REJECTED_LANGUAGES = filled('!,');
const NAMES = `?${Array.from({ length: 2800 }, (_, n) => `${n.toString(36)}=`).join('&')}`;

/** Each public route, with the header, the query or the body that costs it most. */
const OF_STRANGERS: Record<string, Attack> = {
  'Accept-Language of a start': () => ({
    method: 'POST',
    path: INIT,
    headers: { ...JSON_TYPE, 'accept-language': REJECTED_LANGUAGES },
    body: '{"flow_slug":"nobody-has-this"}',
  }),
  'Accept-Language with rising weights': () => ({
    path: '/exit/nobody-has-this',
    headers: { 'accept-language': Array.from({ length: 900 }, (_, n) => `de-a${n};q=0.${100 + n}`).join(',') },
  }),
  'Accept-Language of an exit page': () => ({
    path: '/exit/nobody-has-this',
    headers: { 'accept-language': REJECTED_LANGUAGES },
  }),
  'Accept-Language of a receipt': () => ({
    path: '/exit/nobody-has-this/receipts/00000000-0000-4000-8000-000000000000',
    headers: { 'accept-language': REJECTED_LANGUAGES },
  }),
  'a long number in a start': () => ({ method: 'POST', path: INIT, headers: JSON_TYPE, body: longNumber(15 * KIB) }),
  'a long number in a step': () => ({
    method: 'POST',
    path: `${SESSION}/step`,
    headers: JSON_TYPE,
    body: longNumber(15 * KIB),
  }),
  'a long number in a declaration': () => ({
    method: 'POST',
    path: '/api/v1/runtime/exit/nobody-has-this',
    headers: JSON_TYPE,
    body: longNumber(15 * KIB),
  }),
  'a long number in a sign-in': () => ({
    method: 'POST',
    path: '/api/v1/auth/session',
    headers: JSON_TYPE,
    body: longNumber(15 * KIB),
  }),
  '2,800 parameters of a declaration': () => ({
    method: 'POST',
    path: `/api/v1/runtime/exit/nobody-has-this${NAMES}`,
    headers: JSON_TYPE,
    body: '{}',
  }),
  '2,800 parameters of an exit page': () => ({ path: `/exit/nobody-has-this${NAMES}` }),
  'Origin of a sign-in': () => ({
    method: 'POST',
    path: '/api/v1/auth/session',
    headers: { ...JSON_TYPE, origin: `http://${filled('%E4%BD%A0')}` },
    body: '{}',
  }),
  'Cookie of a sign-in': () => ({ path: '/api/v1/public/me', headers: { cookie: filled('a=b;') } }),
  'Authorization of the management interface': () => ({
    path: '/api/v1/public/flows',
    headers: { authorization: `Bearer ${filled('a')}` },
  }),
  'an event of a billing system': (n) => ({
    method: 'POST',
    path: `/api/v1/billing/stripe/webhook/00000000-0000-7000-8000-00000000000${n % 10}`,
    headers: { ...JSON_TYPE, 'stripe-signature': `t=1,${filled('v1=a,')}` },
    body: filled('{"a":"b"},', 250 * KIB),
  }),
  'the metrics': () => ({ path: '/metrics' }),
};

/** The largest bodies that the management interface takes. */
const OF_TENANTS: Record<string, [requests: number, Attack]> = {
  'a long number in a flow': [
    100,
    () => ({ method: 'POST', path: '/api/v1/public/flows', headers: JSON_TYPE, body: longNumber(250 * KIB) }),
  ],
  '20,000 numbers with exponents in a flow': [
    100,
    () => ({
      method: 'POST',
      path: '/api/v1/public/flows',
      headers: JSON_TYPE,
      body: `[${filled('1e5,', 70 * KIB)}1]`,
    }),
  ],
  'a document of 8 MiB of lists': [
    10,
    () => ({ method: 'PUT', path: CONFIG, headers: JSON_TYPE, body: filled('[', 8e6) }),
  ],
  'a document of 440,000 long numbers': [
    10,
    () => ({ method: 'PUT', path: CONFIG, headers: JSON_TYPE, body: `[${filled('1.234567890123456,', 8e6)}1]` }),
  ],
  'a document with a key given twice at its end': [
    10,
    () => ({
      method: 'PUT',
      path: CONFIG,
      headers: JSON_TYPE,
      body: `{"a":[${filled('{"b":"c"},', 3e6)}{"d":1,"d":2}]}`,
    }),
  ],
  'a document of 4,000,000 escapes': [
    10,
    () => ({ method: 'PUT', path: CONFIG, headers: JSON_TYPE, body: `{"a":"${'\\n'.repeat(4e6)}"}` }),
  ],
  'a document of long hosts in other letters': [
    4,
    () => ({
      method: 'PUT',
      path: CONFIG,
      headers: JSON_TYPE,
      body: JSON.stringify({
        webhooks: Array.from({ length: 1000 }, (_, n) => ({
          key: `k${n}`,
          url: `https://${Array.from({ length: 2000 }, (_, m) => String.fromCharCode(0x4e00 + ((n + m) % 20_000))).join('')}/`,
        })),
      }),
    }),
  ],
  'a document with 12,000 lists in each other': [
    4,
    () => ({
      method: 'PUT',
      path: CONFIG,
      headers: JSON_TYPE,
      body: `{"offers":[{"key":"a","x":[${Array.from({ length: 12_000 }, () => '['.repeat(27) + ']'.repeat(27)).join()}]}]}`,
    }),
  ],
};

describe("A customer's start", () => {
  const databases = databasesForAll();
  let address: string;
  let victim: Tenant;
  let hostile: Record<string, string>;

  beforeAll(async () => {
    const service = ServiceProcess.start({
      DATABASE_URL: await databases.create(),
      TRUST_PROXY: '127.0.0.1',
      RUNTIME_REQUESTS_PER_MINUTE: '600',
      MANAGEMENT_REQUESTS_PER_MINUTE: '1200',
    });
    address = await service.address();
    [victim] = await createTenants(address, [1_000_000]);
    const operator = { authorization: `Bearer ${ADMIN_API_KEY}` };
    const made = await send(undefined, 'POST', `${address}/api/v1/admin/workspaces`, { name: 'Hostile' }, operator);
    hostile = { authorization: `Bearer ${made.body.api_key.key}` };
  });

  let attacks = 0;

  /**
   * Sends an attack from one address, and starts sessions from another meanwhile. Returns what became of the starts.
   */
  async function during(requests: number, attack: Attack, credentials: object): Promise<(number | string)[]> {
    const from = { 'x-forwarded-for': `192.0.2.${++attacks}` };
    let sent = 0;
    const over = new AbortController();
    const attacker = async () => {
      while (sent < requests) {
        const { method = 'GET', path, headers, body } = attack(sent++);
        const request = { method, headers: { ...credentials, ...from, ...headers }, body };
        await fetch(address + path, request)
          .then((response) => response.arrayBuffer())
          // A body that is too large may be cut off.
          .catch(() => undefined);
      }
    };
    const starts: (number | string)[] = [];
    const customer = async () => {
      while (!over.signal.aborted || starts.length < MIN_STARTS) {
        const headers = { ...JSON_TYPE, 'x-forwarded-for': `198.51.100.${starts.length % 250}` };
        const body = JSON.stringify({ flow_slug: victim.slug });
        const signal = AbortSignal.timeout(PATIENCE_MS);
        const start = fetch(address + INIT, { method: 'POST', headers, body, signal });
        starts.push(await start.then(({ status }) => status).catch(({ name }: Error) => name));
      }
    };
    const attackers = Array.from({ length: Math.min(AT_ONCE, requests) }, attacker);
    await Promise.all([Promise.all(attackers).finally(() => over.abort()), customer()]);
    return starts;
  }

  it.each(Object.entries(OF_STRANGERS))(
    'is answered before the widget gives up, while another address sends 300 requests: %s',
    async (_, attack) => {
      const starts = await during(REQUESTS, attack, {});
      expect(starts.filter((status) => status !== 201)).toEqual([]);
    },
  );

  it.each(Object.entries(OF_TENANTS))(
    'is answered before the widget gives up, while a workspace sends %s',
    async (_, [requests, attack]) => {
      const starts = await during(requests, attack, hostile);
      expect(starts.filter((status) => status !== 201)).toEqual([]);
    },
  );
});
