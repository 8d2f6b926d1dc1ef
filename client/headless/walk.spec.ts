import type { WalkOptions } from './walk.ts';
import {
  ACCEPTED_OFFER,
  BAD_GATEWAY,
  BRANDING,
  BUSY,
  CANCEL_URL,
  CANCELED,
  CONFIRM_NODE,
  FAILS,
  GONE,
  HANGS,
  OFFER_NODE,
  problem,
  RUBBISH,
  CLOSING,
  SAVED,
  SESSION,
  START_NODE,
  started,
  state,
  stateAt,
  SURVEY_NODE,
} from './walk-answers.ts';
import { type Reply, TestWorld, WatchedWalk } from './walk-world.ts';

const NAME = 'retention-flow ["https://retention.acme.example","leaving-acme-pro-k3v9x2mq",null]';
const FIRST_KEY = 'key-of-16-characters-1';
const SHOWN = { type: 'node', node: START_NODE };
/** What a tab has stored of a session. */
const STORED = { key: FIRST_KEY, session: SESSION };

let world: TestWorld;

afterEach(() => jest.restoreAllMocks());

beforeEach(() => {
  world = new TestWorld();
});

function start(options: Partial<WalkOptions> = {}): WatchedWalk {
  const watched = new WatchedWalk(world, options);
  watched.walk.start();
  return watched;
}

/** Starts, and waits far longer than a start may take. */
async function startAndWait(options?: Partial<WalkOptions>): Promise<WatchedWalk> {
  const watched = start(options);
  await world.pass(60_000);
  return watched;
}

function stored(): unknown {
  const text = world.items.get(NAME);
  return text === undefined ? undefined : JSON.parse(text);
}

function store(memory: object): void {
  world.items.set(NAME, JSON.stringify(memory));
}

const paths = () => world.requests.map(({ method, path }) => `${method} ${path}`);

describe('Starting', () => {
  it('shows the first node, in the colours of the workspace', async () => {
    world.answers(started());
    const watched = await startAndWait({ customer: { id: 'cus_4711', email: 'ada@example.com' } });
    expect(watched.views).toEqual([SHOWN]);
    expect(watched.brandings).toEqual([BRANDING]);
    expect(world.requests).toMatchObject([
      {
        method: 'POST',
        path: '/init',
        key: FIRST_KEY,
        body: { flow_slug: 'leaving-acme-pro-k3v9x2mq', customer: { id: 'cus_4711', email: 'ada@example.com' } },
      },
    ]);
    expect(world.timers).toBe(0);
  });

  it('sends a token in place of the customer', async () => {
    world.answers(started());
    await startAndWait({ customer: { id: 'cus_4711' }, customerToken: 'a.b.c' });
    expect(world.requests[0].body).toEqual({ flow_slug: 'leaving-acme-pro-k3v9x2mq', customer_token: 'a.b.c' });
  });

  it.each([
    ['gives one', () => 'a.b.c'],
    ['promises one', () => Promise.resolve('a.b.c')],
  ])('sends the token of a function that %s', async (_, customerToken) => {
    world.answers(started());
    const watched = await startAndWait({ customerToken });
    expect(world.requests[0].body).toEqual({ flow_slug: 'leaving-acme-pro-k3v9x2mq', customer_token: 'a.b.c' });
    expect(watched.views).toEqual([SHOWN]);
    expect(world.timers).toBe(0);
  });

  it.each([undefined, null, ''])('sends the customer when the function for the token gives %p', async (nothing) => {
    world.answers(started());
    await startAndWait({ customer: { id: 'cus_4711' }, customerToken: () => nothing });
    expect(world.requests[0].body).toEqual({ flow_slug: 'leaving-acme-pro-k3v9x2mq', customer: { id: 'cus_4711' } });
  });

  it.each<[string, () => Promise<string>]>([
    ['fails', () => Promise.reject(new Error('offline'))],
    [
      'throws',
      () => {
        throw new Error('no such element');
      },
    ],
  ])('ends at once, without a request, when the function for the token %s', async (_, customerToken) => {
    const watched = start({ customerToken });
    await world.pass(0);
    expect(watched.ends).toEqual([{ outcome: 'unavailable', reason: 'no_customer_token' }]);
    await world.pass(60_000);
    expect([watched.views, world.requests, world.timers]).toEqual([[{ type: 'nothing' }], [], 0]);
  });

  it('gives the function for the token and the service 2.5 s together', async () => {
    const after = (milliseconds: number) => () =>
      new Promise<string>((resolve) => world.after(milliseconds, () => resolve('a.b.c')));
    const tooLate = start({ customerToken: after(3000) });
    await world.pass(2499);
    expect(tooLate.views).toEqual([{ type: 'starting' }]);
    await world.pass(1);
    expect(tooLate.end).toMatchObject({ outcome: 'unavailable', reason: 'no_customer_token' });
    await world.pass(60_000);
    expect([tooLate.ends.length, world.requests]).toEqual([1, []]);

    const late = start({ customerToken: after(2000) });
    await world.pass(2499);
    expect([late.ends, world.requests.length]).toEqual([[], 1]);
    await world.pass(1);
    expect(late.end).toMatchObject({ outcome: 'unavailable', reason: 'timeout' });
  });

  it('lets the customer go who clicks again while the token is awaited', async () => {
    const watched = start({ customerToken: () => new Promise(() => undefined) });
    await world.pass(1000);
    watched.walk.leave();
    await world.pass(60_000);
    expect(watched.ends).toEqual([{ outcome: 'canceled' }]);
    expect(world.requests).toEqual([]);
  });

  it('asks no function for a token of a session that exists already', async () => {
    world.answers(state(stateAt(START_NODE)));
    const customerToken = jest.fn(() => 'a.b.c');
    const watched = await startAndWait({ sessionId: SESSION, customerToken });
    expect([watched.views, customerToken.mock.calls]).toEqual([[SHOWN], []]);
  });

  it('stores the key before it asks, and the session when it has it', async () => {
    let before: unknown;
    world.service = () => {
      before = stored();
      return started();
    };
    await startAndWait();
    expect(before).toEqual({ key: FIRST_KEY });
    expect(stored()).toEqual(STORED);
  });

  it('says "one moment" after 400 ms, not before', async () => {
    world.answers({ ...started(), after: 1000 });
    const watched = start();
    await world.pass(399);
    expect(watched.views).toEqual([]);
    await world.pass(1);
    expect(watched.views).toEqual([{ type: 'starting' }]);
    await world.pass(600);
    expect(watched.views).toEqual([{ type: 'starting' }, SHOWN]);
  });

  it.each<[string, Reply]>([
    ['the network fails', FAILS],
    ['the request came too slowly (408)', problem(408, 'request_timeout')],
    ['the service fails (500)', problem(500, 'internal_error')],
    ['a proxy has no service (502)', BAD_GATEWAY],
    ['the answer is no JSON', RUBBISH],
    ['the answer has no session', { status: 201, body: { flow: { entry_node: START_NODE } } }],
    ['the answer has no first node', { status: 201, body: { session_id: SESSION, flow: null } }],
    ['the answer is null', { status: 200, body: 'null' }],
  ])('asks once more after 250 ms with the same key when %s', async (_, reply) => {
    world.answers(reply, started());
    const watched = await startAndWait();
    expect(watched.view).toEqual(SHOWN);
    expect(world.requests.map(({ at, key }) => ({ at, key }))).toEqual([
      { at: 1000, key: FIRST_KEY },
      { at: 1250, key: FIRST_KEY },
    ]);
  });

  it.each<[string, Reply, string]>([
    ['network', FAILS, 'network'],
    ['rubbish', RUBBISH, 'unreadable'],
    ['a proxy', BAD_GATEWAY, 'unreadable'],
    ['500', problem(500, 'internal_error'), 'internal_error'],
  ])('lets the customer go when it fails twice: %s', async (_, reply, reason) => {
    world.answers(reply, reply, started());
    const watched = await startAndWait();
    expect(watched.ends).toEqual([{ outcome: 'unavailable', reason }]);
    expect(watched.view).toEqual({ type: 'nothing' });
    expect(world.requests).toHaveLength(2);
  });

  it('lets the customer go 2.5 s after the click when the service is frozen, and ends the request', async () => {
    const watched = start();
    await world.pass(2499);
    expect(watched.ends).toEqual([]);
    await world.pass(1);
    expect(watched.ends).toEqual([{ outcome: 'unavailable', reason: 'timeout' }]);
    expect(world.requests).toMatchObject([{ isAborted: true }]);
    expect(world.timers).toBe(0);
  });

  it('counts both tries towards the 2.5 s', async () => {
    world.answers({ network: 'fails', after: 1500 }, HANGS);
    const watched = start();
    await world.pass(2500);
    expect(world.requests).toHaveLength(2);
    expect(watched.end).toEqual({ outcome: 'unavailable', reason: 'timeout' });
  });

  it('does not ask again when no time is left for it', async () => {
    world.answers({ network: 'fails', after: 2300 });
    const watched = start();
    await world.pass(2300);
    expect(watched.end).toEqual({ outcome: 'unavailable', reason: 'network' });
  });

  it.each([
    ['429', problem(429, 'too_many_requests', {}, { 'retry-after': '2' }), 3000],
    ['503', BUSY, 2000],
  ])('waits for a Retry-After that fits: %s', async (_, reply, at) => {
    world.answers(reply, started());
    const watched = await startAndWait();
    expect(watched.view).toEqual(SHOWN);
    expect(world.requests[1].at).toBe(at);
  });

  it.each<[string, Reply]>([
    ['429, 3 s', problem(429, 'too_many_requests', {}, { 'retry-after': '3' })],
    ['503, 60 s', problem(503, 'not_ready', {}, { 'retry-after': '60' })],
    ['503, a date', problem(503, 'not_ready', {}, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' })],
    ['429, unknown', problem(429, 'too_many_requests')],
    ['400', problem(400, 'invalid_request')],
    ['401', problem(401, 'invalid_customer_token')],
    ['403, another origin', problem(403, 'origin_not_allowed')],
    ['403, over the limit', problem(403, 'session_limit_reached')],
    ['404', problem(404, 'flow_not_published')],
    ['409', problem(409, 'conflict', {}, { 'retry-after': '1' })],
    ['413', problem(413, 'payload_too_large')],
    ['422 for a new key', problem(422, 'idempotency_key_reused')],
  ])('lets the customer go at once when it is refused: %s', async (_, reply) => {
    world.answers(reply, started());
    const watched = start();
    await world.pass(0);
    expect(watched.ends).toEqual([{ outcome: 'unavailable', reason: (reply as { body: { code: string } }).body.code }]);
    await world.pass(60_000);
    expect(world.requests).toHaveLength(1);
    expect(watched.views).toEqual([{ type: 'nothing' }]);
  });

  it('says where to cancel, if the refusal does', async () => {
    world.answers(problem(403, 'session_limit_reached', { cancellation_url: CANCEL_URL }));
    expect((await startAndWait()).end).toMatchObject({ cancellationUrl: CANCEL_URL });
  });

  it.each(['javascript:alert(1)', '/relative', 'data:text/html,x', 5, { href: 'https://x.example' }])(
    'leads to no address but http and https: %j',
    async (cancellation_url) => {
      world.answers(problem(403, 'session_limit_reached', { cancellation_url }));
      expect((await startAndWait()).end!.cancellationUrl).toBeUndefined();
    },
  );

  it('starts once, however often it is told to', async () => {
    world.answers(started());
    const watched = start();
    watched.walk.start();
    await world.pass(5000);
    expect(world.requests).toHaveLength(1);
  });

  it('lets the customer go when the dialog cannot show the node', async () => {
    world.answers(started());
    const broken = () => {
      throw new Error('broken');
    };
    expect((await startAndWait({ onView: broken })).ends).toMatchObject([{ outcome: 'unavailable' }]);
    expect(world.timers).toBe(0);
  });
});

describe('A second click while starting', () => {
  it('lets the customer cancel at once', async () => {
    const watched = start();
    await world.pass(500);
    watched.walk.leave();
    expect(watched.ends).toEqual([{ outcome: 'canceled' }]);
    expect(world.timers).toBe(0);
  });

  it('shows nothing of a start that comes afterwards, and cancels its session', async () => {
    world.answers({ ...started(), after: 1000 }, state(CANCELED));
    const watched = start();
    await world.pass(500);
    watched.walk.leave();
    await world.pass(60_000);
    expect(watched.views).toEqual([{ type: 'starting' }, { type: 'nothing' }]);
    expect(watched.ends).toHaveLength(1);
    expect(world.requests[1]).toMatchObject({
      path: `/${SESSION}/step`,
      body: { action: 'cancel' },
      keepalive: true,
    });
    expect(stored()).toBeUndefined();
  });

  it('does not try again a start that fails afterwards', async () => {
    world.answers({ network: 'fails', after: 1000 });
    const watched = start();
    await world.pass(500);
    watched.walk.leave();
    await world.pass(60_000);
    expect(world.requests).toHaveLength(1);
  });

  it('tells the service if the session was known from before a reload', async () => {
    store(STORED);
    world.answers(HANGS, state(CANCELED));
    const watched = start();
    watched.walk.leave();
    await world.pass(0);
    expect(world.requests[1]).toMatchObject({ path: `/${SESSION}/step`, body: { action: 'cancel' } });
    expect(watched.ends).toEqual([{ outcome: 'canceled', sessionId: SESSION, cancellationUrl: CANCEL_URL }]);
  });
});

describe('After a reload', () => {
  it('goes on where the session stands', async () => {
    store(STORED);
    world.answers(state(stateAt(SURVEY_NODE, { branding: BRANDING })));
    const watched = await startAndWait();
    expect(watched.views).toEqual([{ type: 'node', node: SURVEY_NODE }]);
    expect(watched.brandings).toEqual([BRANDING]);
    expect(paths()).toEqual([`GET /${SESSION}`]);
  });

  it.each([
    ['saved', state(SAVED)],
    ['canceled', state(CANCELED)],
    ['abandoned', state(stateAt(null, { status: 'abandoned' }))],
    ['gone', GONE],
  ])('starts a new session with a new key when the earlier one is %s', async (_, reply) => {
    store({ ...STORED, key: 'an earlier key of this tab' });
    world.answers(reply, started('another'));
    const watched = await startAndWait();
    expect(watched.view).toEqual(SHOWN);
    expect(paths()).toEqual([`GET /${SESSION}`, 'POST /init']);
    expect(stored()).toEqual({ key: FIRST_KEY, session: 'another' });
  });

  it('thanks for an acceptance whose answer was lost', async () => {
    store({ ...STORED, unconfirmed: true });
    world.answers(state(SAVED));
    const watched = await startAndWait();
    expect(watched.views).toEqual([{ type: 'saved', closing: CLOSING }]);
    expect(watched.ends).toMatchObject([{ outcome: 'saved', sessionId: SESSION, acceptedOffer: ACCEPTED_OFFER }]);
    expect(stored()).toBeUndefined();
  });

  it.each<[string, Reply[], string]>([
    ['fails', [FAILS, FAILS], 'network'],
    ['is refused', [problem(429, 'too_many_requests')], 'too_many_requests'],
    ['hangs', [HANGS], 'timeout'],
    ['is a 404 of a proxy', [{ status: 404, body: '<html>' }], 'unreadable'],
  ])('lets the customer go when reading the session %s, and keeps the session', async (_, replies, reason) => {
    store(STORED);
    world.answers(...replies);
    const watched = start();
    await world.pass(2500);
    expect(watched.ends).toEqual([{ outcome: 'unavailable', reason, sessionId: SESSION }]);
    expect(stored()).toEqual(STORED);
  });

  it('has 2.5 s for reading and starting together', async () => {
    store(STORED);
    world.answers({ ...GONE, after: 2000 }, HANGS);
    const watched = start();
    await world.pass(2500);
    expect(watched.end).toMatchObject({ outcome: 'unavailable', reason: 'timeout' });
  });

  it('starts with the same key when the reload came before the answer', async () => {
    store({ key: 'an earlier key of this tab' });
    world.answers(started());
    await startAndWait();
    expect(world.requests).toMatchObject([{ path: '/init', key: 'an earlier key of this tab' }]);
  });

  it('takes one new key when the customer has changed meanwhile', async () => {
    store({ key: 'an earlier key of this tab' });
    world.answers(problem(422, 'idempotency_key_reused'), started());
    const watched = await startAndWait();
    expect(watched.view).toEqual(SHOWN);
    expect(world.requests.map(({ key }) => key)).toEqual(['an earlier key of this tab', FIRST_KEY]);
    expect(stored()).toEqual(STORED);
  });

  it.each(['{', 'null', '5', '{"key":5}'])('is not disturbed by rubbish in the storage: %s', async (text) => {
    world.items.set(NAME, text);
    world.answers(started());
    expect((await startAndWait()).view).toEqual(SHOWN);
    expect(world.requests).toMatchObject([{ path: '/init', key: FIRST_KEY }]);
  });

  it('works without storage, and with one that throws', async () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const storage of [undefined, { getItem: refuse, setItem: refuse, removeItem: refuse }]) {
      world.storage = storage;
      world.answers(started());
      expect((await startAndWait()).view).toEqual(SHOWN);
    }
  });
});

describe('What the customer has entered', () => {
  const DRAFT = { option: 'other', comment: 'I had half of a sentence' };
  const NOTED = { type: 'node', node: SURVEY_NODE, draft: { node_key: 'reason', ...DRAFT } };

  const writeAndClose = async (options: Partial<WalkOptions>) => {
    world.answers(started(), state(stateAt(SURVEY_NODE)), state(stateAt(SURVEY_NODE)));
    const watched = await startAndWait(options);
    watched.walk.take({ action: 'continue' });
    await world.pass(0);
    watched.walk.note(DRAFT);
    watched.walk.close();
    return (await startAndWait(options)).views;
  };

  it.each<[string, Partial<WalkOptions>]>([
    ['a customer', { customer: { id: 'cus_4711' } }],
    ['a signed customer', { customerToken: `e30.${Buffer.from('{"sub":"cus_4711"}').toString('base64url')}.sig` }],
  ])('is shown again to %s after the dialog was closed, or the page reloaded', async (_, options) => {
    expect(await writeAndClose(options)).toEqual([NOTED]);
  });

  it.each<[string, Partial<WalkOptions>]>([
    ['nobody', {}],
    ['a customer without an id', { customer: { id: '' } }],
    ['a token without a subject', { customerToken: 'e30.e30.sig' }],
  ])('is not kept for %s: the next person in the tab may be somebody else', async (_, options) => {
    expect(await writeAndClose(options)).toEqual([{ ...NOTED, draft: undefined }]);
  });

  it.each<[string, object, object | undefined]>([
    ['it was sent', stateAt(OFFER_NODE), STORED],
    ['the session was moved on from elsewhere', stateAt(CONFIRM_NODE), STORED],
    ['the customer stays', SAVED, undefined],
    ['the customer cancels', CANCELED, undefined],
  ])('is forgotten when %s', async (_, next, left) => {
    store({ ...STORED, draft: NOTED.draft });
    world.answers(state(stateAt(SURVEY_NODE)), state(next));
    const watched = await startAndWait();
    expect(watched.views).toEqual([NOTED]);
    watched.walk.take({ action: 'answer', ...DRAFT });
    await world.pass(60_000);
    expect(stored()).toEqual(left);
  });
});

describe('What is stored', () => {
  /** A token whose claims are not ASCII, and need the characters of base64url. */
  const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;
  const nameFor = async (options: Partial<WalkOptions>) => {
    world = new TestWorld();
    await startAndWait(options);
    return [...world.items.keys()].join();
  };

  it('belongs to the service, the flow and the customer', async () => {
    const owners = [
      {},
      { customer: { id: '' } },
      { customer: { id: 'a' } },
      { customer: { id: 'b' } },
      { customer: { id: 'a' }, flow: 'x' },
      { api: 'https://other.example' },
    ];
    const names = new Set<string>();
    for (const owner of owners) names.add(await nameFor(owner));
    expect(names.size).toBe(owners.length);
  });

  it('is found again with a refreshed token for the same customer', async () => {
    const name = await nameFor({ customerToken: token({ sub: 'cüs_?????>>>>>', exp: 1 }) });
    expect(await nameFor({ customerToken: token({ sub: 'cüs_?????>>>>>', exp: 2 }) })).toEqual(name);
    expect(await nameFor({ customerToken: token({ sub: 'cüs_?????>>>>>2', exp: 2 }) })).not.toEqual(name);
    expect(await nameFor({ customerToken: token({ sub: '?????>>>>>' }) })).toEqual(
      await nameFor({ customer: { id: '?????>>>>>' } }),
    );
    const customerToken = () => Promise.resolve(token({ sub: 'cüs_?????>>>>>', exp: 3 }));
    expect(await nameFor({ customerToken })).toEqual(name);
    expect(await nameFor({ customerToken: 'rubbish' })).not.toEqual(await nameFor({}));
  });
});

describe('A session that exists already', () => {
  it('is read, never started, and not stored', async () => {
    world.answers(state(stateAt(START_NODE, { branding: BRANDING })));
    const watched = await startAndWait({ sessionId: SESSION });
    expect(watched.view).toEqual(SHOWN);
    expect(watched.brandings).toEqual([BRANDING]);
    expect(paths()).toEqual([`GET /${SESSION}`]);
    expect(world.items.size).toBe(0);
  });

  it('leaves alone what the tab has stored of another session', async () => {
    store(STORED);
    world.answers(state(stateAt(START_NODE)), state(SAVED));
    const watched = await startAndWait({ sessionId: 'given' });
    watched.walk.take({ action: 'accept' });
    expect(stored()).toEqual(STORED);
    await world.pass(0);
    expect(watched.ends).toMatchObject([{ outcome: 'saved', sessionId: 'given' }]);
    expect(stored()).toEqual(STORED);
  });

  it.each([
    ['is gone', GONE, 'session_not_found'],
    ['has ended as saved', state(SAVED), 'session_ended'],
    ['has ended as canceled', state(CANCELED), 'session_ended'],
  ])('lets the customer go when it %s', async (_, reply, reason) => {
    world.answers(reply);
    const watched = await startAndWait({ sessionId: SESSION });
    expect(watched.ends).toMatchObject([{ outcome: 'unavailable', reason }]);
    expect(world.requests).toHaveLength(1);
  });

  it('cannot lead to another path', async () => {
    await startAndWait({ sessionId: '../x?' });
    expect(world.requests[0].path).toBe('/..%2Fx%3F');
  });
});
