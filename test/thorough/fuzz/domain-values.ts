import fc from 'fast-check';
import type { FlowDefinition } from '../../../src/flows/graph/flow-definition';
import { DEFAULT_SURVEY } from '../../../src/flows/graph/simple-definition';
import { API_KEY } from '../../billing/stripe-double';
import { anyDefinitions, definitions } from '../../support/definitions';
import type { Operation } from './operations';

const OFFERS = ['{{offer}}', '{{other_offer}}'];
const SESSIONS = ['{{at_start}}', '{{at_survey}}', '{{at_offer}}', '{{at_confirm}}', '{{ended}}'];

/** Values of fields for which the schema alone is not enough to get past validation and to a row. */
export const FIELD_VALUES: Record<string, fc.Arbitrary<unknown>> = {
  flow_slug: fc.constant('{{slug}}'),
  customer_token: fc.constant('{{customer_token}}'),
  flow_id: fc.constantFrom('{{flow}}', '{{draft}}'),
  offer_ids: fc.uniqueArray(fc.constantFrom(...OFFERS)),
  survey: fc.constantFrom(null, DEFAULT_SURVEY),
  definition: definitions.map(withOffers),
  exit: fc.constantFrom(null, { enabled: true, kinds: ['termination'] }),
  locale: fc.constantFrom('en', 'de'),
  translations: fc.constant({}),
  key: fc.stringMatching(/^k[a-z0-9]{15}$/),
  slug: fc.stringMatching(/^s[a-z0-9]{15}$/),
  api_key: fc.constant(API_KEY),
  offers: fc.constant([{ key: 'fuzzed', name: 'Half price', offer_type: 'custom' }]),
  flows: fc.constant([]),
  webhooks: fc.constant([]),
  audiences: fc.constant([]),
  when: fc.constantFrom(
    { all: [{ fact: 'months', is: '>=', value: 12 }] },
    { any: [{ attribute: 'plan', is: 'exists' }, { all: [{ fact: 'ends', is: '=', value: true }] }] },
  ),
  where: fc.constantFrom(
    '{"all":[{"attribute":"plan","is":"exists"}]}',
    '{"any":[{"fact":"months","is":">=","value":6}]}',
  ),
  // Fields of a declaration are only of a termination.
  kind: fc.constant('termination'),
  logo_url: fc.constantFrom('', 'https://acme.example/logo.svg'),
  allowed_origins: fc.uniqueArray(fc.constantFrom('https://acme.example', 'http://localhost:8080')),
  session_limit: fc.integer({ min: 100, max: 2_147_483_647 }),
  cursor: fc.constant('{{cursor}}'),
  audience: fc.constant('{{audience}}'),
  from: fc.constantFrom('2026-11-01', '2000-02-29T23:59:59.999999999+23:59'),
  to: fc.constantFrom('2026-11-20', '2099-11-01', '9999-12-31T23:59:59Z'),
  version: fc.constant(1),
  url: fc.constantFrom('https://acme.example/webhooks', 'https://93.184.215.14:8443/?a=b'),
  since: fc.constantFrom('2026-01-01T00:00:00Z', '1970-01-01T00:00:00.123456789Z'),
  until: fc.constantFrom('9999-12-31T23:59:59Z', '2026-02-01T00:00:00+23:59'),
  option: fc.constantFrom('too_expensive', 'other'),
  metadata: fc.dictionary(fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/), fc.string({ unit: 'grapheme' }), {
    maxKeys: 20,
  }),
  comment: fc.constantFrom('', 'Twice the price of last year.', '💸'.repeat(3000), undefined),
};

/** Changes of a field that keep its form valid: only the rows, or the body as a whole, show that it is wrong. */
export const SEMANTIC_ERRORS: Record<string, fc.Arbitrary<object>> = {
  flow_slug: fc.constantFrom({ flow_slug: '{{draft_slug}}' }, { flow_slug: 'none-has-it' }),
  offer_ids: fc
    .constantFrom(['{{foreign_offer}}'], ['{{offer}}', '{{archived_offer}}'], ['{{flow}}'])
    .map((offer_ids) => ({ offer_ids, flow_mode: 'simple', definition: undefined })),
  definition: anyDefinitions.map((definition) => ({
    definition: withOffers(definition),
    flow_mode: 'advanced',
    offer_ids: undefined,
  })),
  survey: fc.constantFrom(
    { survey: { ...DEFAULT_SURVEY, title: ' ' }, flow_mode: 'simple', definition: undefined },
    { survey: DEFAULT_SURVEY, flow_mode: 'advanced' },
  ),
  when: fc.constantFrom(
    { when: { all: [{ audience: '{{audience}}' }] } },
    { when: { any: [{ fact: 'months', is: '=', value: 'six' }] } },
  ),
  expires_at: fc.constant({ expires_at: '2000-01-01T00:00:00Z' }),
  node_key: fc.constantFrom('start', 'reason', 'offer_1', 'confirm', 'nowhere').map((node_key) => ({ node_key })),
  option: fc.constant({ node_key: 'reason', action: 'answer', option: 'nothing' }),
  session_limit: fc.constant({ session_limit: 0 }),
  metadata: fc.constantFrom(
    { metadata: { 'a name': '' } },
    { metadata: { '': '' } },
    { metadata: { coupon: 50 } },
    { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [n, ''])) },
    { metadata: Object.fromEntries(Array.from({ length: 8 }, (_, n) => [n, 'x'.repeat(500)])) },
  ),
  url: fc.constantFrom(
    { url: 'http://acme.example/' },
    { url: 'https://[::ffff:10.0.0.1]/' },
    { url: 'https://0x7f.1' },
  ),
  event_types: fc.constantFrom({ event_types: ['test'] }, { event_types: ['session.saved', 'session.saved'] }),
  since: fc.constant({ since: '9999-12-31T23:59:59Z' }),
  until: fc.constant({ until: '0000-01-01T00:00:00Z' }),
};

/** Ids for a path, by the segment before them: those of the workspace, and those that must be 404. */
const IDS: Record<string, { own: string[]; foreign: string[] }> = {
  flows: { own: ['{{flow}}', '{{draft}}', '{{advanced}}', '{{archived}}'], foreign: ['{{foreign_flow}}'] },
  versions: { own: ['1'], foreign: ['0', '2', '-1', '1.5', '01', '2147483648', '99999999999999999999'] },
  offers: { own: [...OFFERS, '{{archived_offer}}'], foreign: ['{{foreign_offer}}'] },
  images: { own: ['{{image}}'], foreign: ['{{foreign_image}}'] },
  audiences: { own: ['{{audience}}', '{{named_audience}}'], foreign: ['{{foreign_audience}}'] },
  sessions: { own: SESSIONS, foreign: ['{{foreign_session}}'] },
  session: { own: [...SESSIONS, '{{preview}}'], foreign: ['{{foreign_session}}'] },
  preview: { own: ['{{preview}}'], foreign: [...SESSIONS, '{{foreign_session}}'] },
  customers: { own: ['cus_4711', 'nobody'], foreign: ['foreign_customer'] },
  'api-keys': { own: ['{{spare_key_id}}', '{{revoked_key_id}}'], foreign: ['{{foreign_key_id}}'] },
  'customer-keys': { own: ['{{customer_key}}'], foreign: ['{{foreign_customer_key}}'] },
  webhooks: { own: ['{{webhook}}', '{{other_webhook}}', '{{disabled_webhook}}'], foreign: ['{{foreign_webhook}}'] },
  events: { own: ['{{event}}', '{{other_event}}'], foreign: ['{{foreign_event}}'] },
  declarations: { own: ['{{declaration}}'], foreign: ['{{foreign_declaration}}'] },
  exit: { own: ['{{slug}}'], foreign: ['{{foreign_slug}}'] },
  workspaces: { own: ['{{workspace}}'], foreign: ['{{foreign_workspace}}'] },
};

/** The ids for each parameter of the path, in its order. */
export function idsOf({ path }: Operation): { own: string[]; foreign: string[] }[] {
  return [...path.matchAll(/([\w-]+)\/\{/g)].map(([, segment]) => {
    if (!IDS[segment]) throw new Error(`test/fuzz/domain-values.ts has no ids for /${segment}/`);
    return IDS[segment];
  });
}

/** The definition with offers that exist. */
function withOffers(definition: FlowDefinition): unknown {
  const json = JSON.stringify(definition);
  return JSON.parse(json.replaceAll(/offer (\d)/g, (_, number: string) => OFFERS[Number(number) % OFFERS.length]));
}

interface Content {
  ids: string[];
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/** The content with its fields made consistent, which the document cannot express. */
export function consistent<T extends Content>(content: T): T {
  const { body = {}, query = {} } = content;
  // An attribute is asked for with its value.
  if ('attribute' in query !== 'value' in query)
    return { ...content, query: { ...query, attribute: undefined, value: undefined } };
  // Segment needs a key, and nobody else takes one.
  if ('write_key' in body || body.format === 'segment')
    return { ...content, body: { ...body, write_key: body.format === 'segment' ? 'fuzzed_key' : undefined } };
  const { offer_ids, survey, action, option = 'other', comment, ...rest } = body;
  if ('definition' in body) return { ...content, body: { ...rest, flow_mode: 'advanced' } };
  if (offer_ids || survey) return { ...content, body: { ...rest, offer_ids, survey, flow_mode: 'simple' } };
  // Only custom offers have these.
  if (['offer_type', 'outcome', 'data'].some((field) => field in body) && body.offer_type !== 'custom')
    return { ...content, body: { ...body, outcome: undefined, kind: undefined, data: undefined } };
  if ('customer_token' in body) return { ...content, body: { ...body, customer: undefined } };
  if (body.algorithm === 'HS256') return { ...content, body: { ...body, public_key: undefined } };
  if (!action) return content;
  if (action === 'retry' || action === 'done') return { ...content, ids: ['{{decided}}'] };
  const [session, node_key] = PLACES[action as string] ?? [];
  const answer = action === 'answer' ? { option, comment } : {};
  return { ...content, ids: session ? [session] : content.ids, body: { node_key, action, ...answer } };
}

/** Where a session takes an action. Actions that are not here are taken everywhere. */
const PLACES: Record<string, [session: string, node_key: string]> = {
  continue: ['{{at_start}}', 'start'],
  answer: ['{{at_survey}}', 'reason'],
  accept: ['{{at_offer}}', 'offer_1'],
  decline: ['{{at_offer}}', 'offer_1'],
  confirm: ['{{at_confirm}}', 'confirm'],
};
