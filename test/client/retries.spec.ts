import { ApiError, type ClientOptions, ConnectionError, RetentionFlow } from '@retention-flow/client';

type Outcome = Response | Error | 'hang' | 'hang in the body';

const ok = () => Response.json({ id: 'an id' });
const problem = (status: number, headers?: Record<string, string>) =>
  Response.json({ code: 'some_code', detail: 'Some detail.', status, request_id: 'r' }, { status, headers });
const page = (status: number) => new Response('<h1>Oops</h1>', { status, headers: { 'content-type': 'text/html' } });
const broken = () => new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });

/** A client whose attempts end one after another as given, and the times at which they were made. */
function clientOf(outcomes: Outcome[], options: Partial<ClientOptions> = {}) {
  const started = Date.now();
  const attempts: { ms: number; key: string | null; body: string; keepalive: boolean }[] = [];
  const fetch = async (request: Request, { signal }: { signal: AbortSignal }): Promise<Response> => {
    const headers = request.headers.get('idempotency-key');
    const outcome = outcomes[attempts.length];
    const attempt = { ms: Date.now() - started, key: headers, body: '', keepalive: request.keepalive };
    attempts.push(attempt);
    attempt.body = await request.text();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    if (outcome === 'hang') return aborted;
    if (outcome === 'hang in the body') {
      return Object.assign(new Response(''), { text: () => aborted });
    }
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const rf = new RetentionFlow({ baseUrl: 'http://flows.example', ...options, fetch: fetch as never });
  return { rf, attempts };
}

/** What a call ends with, when all its time has passed. */
async function ended(call: Promise<unknown>): Promise<unknown> {
  const outcome = call.catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(10 * 60_000);
  return outcome;
}

const offer = { name: 'Half price', offer_type: 'custom' } as const;

describe('A call', () => {
  let random: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers();
    random = jest.spyOn(Math, 'random').mockReturnValue(1);
  });
  afterEach(() => {
    random.mockRestore();
    jest.useRealTimers();
  });

  it.each<[string, () => Outcome]>([
    ['a connection that broke', broken],
    ['no answer in time', () => 'hang'],
    ['a body that does not end', () => 'hang in the body'],
    ['500', () => problem(500)],
    ['502 of a proxy', () => page(502)],
    ['503', () => problem(503)],
    ['504 of a proxy', () => page(504)],
  ])('that may be repeated is, after %s', async (_, fault) => {
    for (const call of [
      (rf: RetentionFlow) => rf.offers.get('x'),
      (rf: RetentionFlow) => rf.offers.update('x', { name: 'y' }),
      (rf: RetentionFlow) => rf.offers.archive('x'),
      (rf: RetentionFlow) => rf.offers.create(offer),
      (rf: RetentionFlow) => rf.runtime.step('x', { node_key: 'start', action: 'continue' }),
    ]) {
      const { rf, attempts } = clientOf([fault(), fault(), ok()]);
      expect([await ended(call(rf)), attempts.length]).toEqual([{ id: 'an id' }, 3]);
      expect(attempts[2].body).toBe(attempts[0].body);
    }
  });

  it.each<[string, (rf: RetentionFlow) => Promise<unknown>]>([
    ['starts a session', (rf) => rf.runtime.start({ flow_slug: 'a' })],
    ['cancels', (rf) => rf.runtime.step('x', { action: 'cancel' })],
    ['confirms', (rf) => rf.runtime.step('x', { node_key: 'sure', action: 'confirm' })],
  ])('that %s ends in 2.5 s, and is repeated once within them', async (_, call) => {
    for (const options of [{}, { timeout: 60_000, retries: 9 }]) {
      const { rf, attempts } = clientOf(['hang', 'hang', ok()], options);
      const started = Date.now();
      let ms = 0;
      const outcome = await ended(call(rf).finally(() => (ms = Date.now() - started)));
      expect([outcome, ms, attempts.map((one) => one.ms)]).toEqual([expect.any(ConnectionError), 2500, [0, 2000]]);
    }
    const late = clientOf([problem(429, { 'retry-after': '3' }), ok()]);
    expect(await ended(call(late.rf))).toMatchObject({ status: 429 });
    const { rf, attempts } = clientOf([broken(), ok()]);
    expect([await ended(call(rf)), attempts[1].body]).toEqual([{ id: 'an id' }, attempts[0].body]);
  });

  it('leaves the page before its answer only if the customer does', async () => {
    const keptAlive = async (call: (rf: RetentionFlow) => Promise<unknown>) => {
      const { rf, attempts } = clientOf([ok()]);
      await ended(call(rf));
      return attempts[0].keepalive;
    };
    expect(await keptAlive((rf) => rf.runtime.start({ flow_slug: 'a' }))).toBe(false);
    expect(await keptAlive((rf) => rf.runtime.step('x', { action: 'keep' }))).toBe(false);
    expect(await keptAlive((rf) => rf.runtime.step('x', { action: 'cancel' }))).toBe(true);
  });

  it('that fails has the cancellation URL of the client, or else that of the service', async () => {
    const own = 'https://acme.example/cancel';
    const theirs = () =>
      Response.json(
        { code: 'session_limit_reached', detail: 'Full', cancellation_url: 'https://acme.example/flow' },
        { status: 403 },
      );
    const urlOf = async (outcome: Outcome, cancellationUrl?: string) => {
      const { rf } = clientOf([outcome], { retries: 0, cancellationUrl });
      const error = await ended(rf.runtime.start({ flow_slug: 'a' }));
      return (error as ApiError | ConnectionError).cancellationUrl;
    };
    expect([await urlOf(broken(), own), await urlOf(page(502), own), await urlOf(theirs(), own)]).toEqual([
      own,
      own,
      own,
    ]);
    expect([await urlOf(broken()), await urlOf(theirs())]).toEqual([undefined, 'https://acme.example/flow']);
  });

  it.each<[string, () => Outcome]>([
    ['a connection that broke', broken],
    ['no answer in time', () => 'hang'],
    ['500', () => problem(500)],
    ['503', () => problem(503)],
  ])('that sends something each time is not repeated after %s', async (_, fault) => {
    for (const call of [
      (rf: RetentionFlow) => rf.webhooks.test('x'),
      (rf: RetentionFlow) => rf.webhooks.rotateSecret('x'),
      (rf: RetentionFlow) => rf.webhooks.recover('x', { since: '2026-01-01T00:00:00Z' }),
      (rf: RetentionFlow) => rf.events.redeliver('x'),
    ]) {
      const { rf, attempts } = clientOf([fault(), ok()]);
      expect([await ended(call(rf)), attempts.length]).toEqual([expect.any(Error), 1]);
    }
  });

  it.each<[string, () => Response]>([
    ['429', () => problem(429, { 'retry-after': '2' })],
    ['408', () => problem(408)],
    ['409 with Retry-After', () => problem(409, { 'retry-after': '1' })],
  ])('is repeated after %s, whatever it does: nothing has happened', async (_, refusal) => {
    const { rf, attempts } = clientOf([refusal(), ok()]);
    expect([await ended(rf.webhooks.test('x')), attempts.length]).toEqual([{ id: 'an id' }, 2]);
  });

  it.each([400, 401, 403, 404, 409, 413, 415, 422, 431, 501])('is not repeated after %i', async (status) => {
    const { rf, attempts } = clientOf([problem(status), ok()]);
    expect([await ended(rf.offers.get('x')), attempts.length]).toEqual([expect.any(ApiError), 1]);
  });

  it('is repeated with the same Idempotency-Key, another one for each call, or the given one', async () => {
    const { rf, attempts } = clientOf([broken(), ok(), ok(), ok()]);
    await ended(rf.offers.create(offer));
    await ended(rf.offers.create(offer));
    await ended(rf.offers.create(offer, { idempotencyKey: 'mine' }));
    const keys = attempts.map(({ key }) => key);
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{22}$/), keys[0], expect.any(String), 'mine']);
    expect(new Set(keys).size).toBe(3);
  });

  it('has pauses of up to 0.5, 1, 2, 4 and then 8 seconds before its attempts, at random', async () => {
    for (const [part, times] of [
      [1, [0, 500, 1500, 3500, 7500, 15_500, 23_500]],
      [0.5, [0, 250, 750, 1750, 3750, 7750, 11_750]],
    ] as const) {
      random.mockReturnValue(part);
      const { rf, attempts } = clientOf([...Array.from({ length: 6 }, broken), ok()], { retries: 6 });
      await ended(rf.offers.get('x'));
      expect(attempts.map(({ ms }) => ms)).toEqual(times);
    }
  });

  it('is never sent again before Retry-After', async () => {
    random.mockReturnValue(0.5);
    const { rf, attempts } = clientOf([
      problem(429, { 'retry-after': '60' }),
      problem(503, { 'retry-after': '3' }),
      ok(),
    ]);
    await ended(rf.offers.get('x'));
    expect(attempts.map(({ ms }) => ms)).toEqual([0, 60_250, 63_750]);
  });

  it('leaves a Retry-After of more than a minute to the caller', async () => {
    const { rf, attempts } = clientOf([problem(429, { 'retry-after': '61' }), ok()]);
    expect(await ended(rf.offers.get('x'))).toMatchObject({ status: 429, retryAfter: 61 });
    expect(attempts).toHaveLength(1);
  });

  it('has five attempts unless told, then the last failure', async () => {
    const { rf, attempts } = clientOf([broken(), page(502), broken(), 'hang', problem(503)]);
    expect(await ended(rf.offers.get('x'))).toMatchObject({ name: 'ApiError', status: 503 });
    expect(attempts).toHaveLength(5);
    const one = clientOf([broken()], { retries: 0 });
    expect(await ended(one.rf.offers.get('x'))).toBeInstanceOf(ConnectionError);
  });

  it('gives each attempt its own time', async () => {
    const { rf, attempts } = clientOf(['hang', 'hang', ok()], { timeout: 2000 });
    await ended(rf.offers.get('x'));
    expect(attempts.map(({ ms }) => ms)).toEqual([0, 2500, 5500]);
  });

  it('that got no answer is a ConnectionError, which says why', async () => {
    const error = await ended(clientOf([broken()], { retries: 0 }).rf.offers.get('x'));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: 'No answer from http://flows.example: read ECONNRESET', cause: broken() });
    expect(await ended(clientOf(['hang'], { retries: 0 }).rf.offers.get('x'))).toMatchObject({
      message: 'No answer from http://flows.example: none within 10000 ms',
    });
  });

  it('that a proxy answered is an ApiError, code "unknown"', async () => {
    const error = await ended(clientOf([page(502)], { retries: 0 }).rf.offers.get('x'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 502, code: 'unknown', errors: [] });
    expect((error as Error).message).toBe("The answer is not the service's: 502 with text/html");
    expect(await ended(clientOf([page(200)]).rf.offers.get('x'))).toMatchObject({ status: 200, code: 'unknown' });
  });

  it.each<[string, Outcome[]]>([
    ['an attempt', ['hang']],
    ['a body', ['hang in the body']],
    ['a pause', [problem(503, { 'retry-after': '60' })]],
  ])('ends at once with the reason of its signal, in %s', async (_, outcomes) => {
    const { rf, attempts } = clientOf(outcomes);
    const controller = new AbortController();
    const call = rf.offers.get('x', { signal: controller.signal }).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1000);
    controller.abort(new Error('enough'));
    expect(await call).toEqual(new Error('enough'));
    expect(attempts).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends at once with the reason of its signal, between an attempt and its pause', async () => {
    const controller = new AbortController();
    // Drawn for the length of the pause.
    random.mockImplementation(() => {
      controller.abort(new Error('enough'));
      return 1;
    });
    const { rf, attempts } = clientOf([problem(503, { 'retry-after': '60' })]);
    await expect(rf.offers.get('x', { signal: controller.signal })).rejects.toThrow('enough');
    expect(attempts).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is not sent at all when its signal has ended before', async () => {
    const { rf, attempts } = clientOf([ok()]);
    await expect(rf.offers.create(offer, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    expect(attempts).toHaveLength(0);
  });

  it('leaves no timer behind', async () => {
    await clientOf([ok()]).rf.offers.get('x');
    expect(jest.getTimerCount()).toBe(0);
  });
});
