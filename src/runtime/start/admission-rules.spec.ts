import { NO_BRAND } from '../../workspaces/brand';
import { Problem } from '../../platform/api/problems/problem';
import { composeDefinition } from '../../flows/graph/simple-definition';
import { NEW_CONTENT } from '../../flows/versions/flow-content-fields';
import type { FlowVersion } from '../../flows/versions/flow-version.entity';
import type { FlowStatus } from '../../flows/flow.entity';
import { decideStarts, type Situation, type Start, type StartableFlow } from './admission-rules';

const version = (number: number): FlowVersion => ({
  workspace_id: 'acme',
  flow_id: 'flow',
  version: number,
  name: 'Leaving',
  product_name: 'Acme',
  cancellation_url: 'https://acme.example/cancel',
  definition: composeDefinition([]),
  ...NEW_CONTENT,
  audiences: {},
  draws: {},
  note: null,
  published_by: null,
  created_at: new Date(0),
});

function situation({ limit = 10, used = 0, origins = [] as string[], requiresToken = false } = {}): Situation {
  const flow = (id: string, status: FlowStatus, number: number): [string, StartableFlow] => {
    const first_published_at = status === 'draft' ? null : new Date(0);
    return [id, { status, first_published_at, estimated_monthly_value: null, version: version(number) }];
  };
  return {
    workspace: {
      id: 'acme',
      session_limit: limit,
      period: new Date(0),
      sessions_in_period: used,
      starts_are_events: false,
      primary_color: '#000',
      logo_url: '',
      brand: NO_BRAND,
      allowed_origins: origins,
      require_customer_token: requiresToken,
    },
    customerKeys: ['key 1', 'key 2'],
    flows: new Map([flow('flow', 'published', 2), flow('archived', 'archived', 1), flow('draft', 'draft', 1)]),
    earlier: [],
  };
}

let count = 0;
const start = (fields: Partial<Start> = {}): Start => ({
  workspace_id: 'acme',
  session_id: `session ${count++}`,
  flow_id: 'flow',
  ...fields,
});
const withKey = (key: string, request = 'request') => ({ key, request_hash: Buffer.from(request) });

/** What the starts are told: 'admitted', or the code of the problem. */
function told(starts: Start[], given: Situation = situation()): string[] {
  return decideStarts(starts, given).results.map((result) => (result instanceof Problem ? result.code : 'admitted'));
}

describe('Starts that are decided together', () => {
  it('are admitted in their order while there is room, and no further', () => {
    expect(told([start(), start(), start(), start()], situation({ limit: 5, used: 3 }))).toEqual([
      'admitted',
      'admitted',
      'session_limit_reached',
      'session_limit_reached',
    ]);
  });

  it('are refused each for itself: one that is wrong takes no room and no other with it', () => {
    const given = situation({ limit: 3, origins: ['https://acme.example'] });
    const { results, begun } = decideStarts(
      [
        start(),
        start({ flow_id: 'archived' }),
        start({ origin: 'https://evil.example' }),
        start({ flow_id: 'draft' }),
        start({ origin: 'https://acme.example' }),
        start(),
      ],
      given,
    );
    expect(results.map((result) => (result instanceof Problem ? result.code : 'admitted'))).toEqual([
      'admitted',
      'flow_not_published',
      'origin_not_allowed',
      'flow_not_published',
      'admitted',
      'admitted',
    ]);
    expect(begun).toHaveLength(3);
  });

  it('show the way out only of a flow that was ever published', () => {
    const [archived, draft] = decideStarts(
      [start({ flow_id: 'archived' }), start({ flow_id: 'draft' })],
      situation(),
    ).results;
    expect((archived as Problem).body('')).toMatchObject({ cancellation_url: 'https://acme.example/cancel' });
    expect((draft as Problem).body('')).not.toHaveProperty('cancellation_url');
  });

  it('get the same session under the same key, counted once', () => {
    const { results, begun } = decideStarts(
      [start({ idempotency: withKey('a') }), start({ idempotency: withKey('a') })],
      situation({ limit: 1 }),
    );
    expect(results[1]).toEqual(results[0]);
    expect(begun).toHaveLength(1);
  });

  it('are refused under a key that came with another request', () => {
    expect(told([start({ idempotency: withKey('a') }), start({ idempotency: withKey('a', 'other') })])).toEqual([
      'admitted',
      'idempotency_key_reused',
    ]);
  });

  it('get the session of before, on its version, even when nothing new can start', () => {
    const given = situation({ limit: 0, origins: ['https://acme.example'] });
    given.earlier.push({ session_id: 'before', locale: 'en', idempotency: withKey('a'), version: version(1) });
    const { results, begun } = decideStarts(
      [start({ flow_id: 'archived', origin: 'https://evil.example', idempotency: withKey('a') })],
      given,
    );
    expect(results).toMatchObject([{ session_id: 'before', version: { version: 1 } }]);
    expect(begun).toEqual([]);
  });

  it('get their own session when they were written before, although an error was reported then', () => {
    const given = situation({ limit: 2, used: 2 });
    const [plain, keyed] = [start(), start({ idempotency: withKey('a') })];
    given.earlier.push(...[plain, keyed].map((one) => ({ ...one, locale: 'en', version: version(1) })));
    const { results, begun } = decideStarts([plain, keyed, start({ idempotency: withKey('a') }), start()], given);
    expect(results).toMatchObject([
      { session_id: plain.session_id },
      { session_id: keyed.session_id },
      { session_id: keyed.session_id },
      { code: 'session_limit_reached' },
    ]);
    expect(begun).toEqual([]);
  });

  it('are refused with a token of a key that is gone or that is not good, and take no room', () => {
    const given = situation({ limit: 2 });
    const bad = { token_fault: 'expired' } as const;
    const starts = [bad, { signed_by: 'key 2' }, { signed_by: 'key 3' }, {}].map(start);
    expect(told(starts, given)).toEqual(['invalid_customer_token', 'admitted', 'invalid_customer_token', 'admitted']);
    const [refused, ofDraft] = decideStarts([start(bad), start({ ...bad, flow_id: 'draft' })], given).results;
    expect((refused as Problem).body('')).toMatchObject({ cancellation_url: 'https://acme.example/cancel' });
    expect((ofDraft as Problem).body('')).not.toHaveProperty('cancellation_url');
  });

  it('are refused without a token where the workspace requires one', () => {
    const starts = [start(), start({ customer: { id: 'jo' } }), start({ signed_by: 'key 1' })];
    expect(told(starts, situation({ requiresToken: true }))).toEqual([
      'invalid_customer_token',
      'invalid_customer_token',
      'admitted',
    ]);
  });

  it('are refused with a token that is not good, although their key has a session', () => {
    const given = situation();
    given.earlier.push({ session_id: 'before', locale: 'en', idempotency: withKey('a'), version: version(1) });
    const proofs = [{ token_fault: 'expired' } as const, { signed_by: 'key 3' }, { signed_by: 'key 1' }];
    const repeats = proofs.map((proof) => start({ ...proof, idempotency: withKey('a') }));
    expect(told(repeats, given)).toEqual(['invalid_customer_token', 'invalid_customer_token', 'admitted']);
  });

  it('do not use up a key when they are refused', () => {
    const flow_id = 'draft';
    expect(told([start({ flow_id, idempotency: withKey('a') }), start({ idempotency: withKey('a') })])).toEqual([
      'flow_not_published',
      'admitted',
    ]);
  });
});
