import fc from 'fast-check';
import type { FlowDefinition } from '../../src/flows/flow-definition';
import { anyDefinitions, definitions } from '../support/definitions';
import type { Operation } from './operations';

const OFFERS = ['{{offer}}', '{{other_offer}}'];
const SESSIONS = ['{{at_start}}', '{{at_survey}}', '{{at_offer}}', '{{at_confirm}}', '{{ended}}'];

/**
 * What the document can't say: which values of a field get past validation and to a row. `{{names}}` stand for what
 * the world makes of them, so that a request is the same in every run with its seed.
 */
export const HINTS: Record<string, fc.Arbitrary<unknown>> = {
  flow_slug: fc.constant('{{slug}}'),
  flow_id: fc.constantFrom('{{flow}}', '{{draft}}'),
  offer_ids: fc.uniqueArray(fc.constantFrom(...OFFERS)),
  definition: definitions.map(withOffers),
  logo_url: fc.constantFrom('', 'https://acme.example/logo.svg'),
  allowed_origins: fc.uniqueArray(fc.constantFrom('https://acme.example', 'http://localhost:8080')),
  session_limit: fc.integer({ min: 100, max: 2_147_483_647 }),
  cursor: fc.constant('{{cursor}}'),
  from: fc.constantFrom('2026-11-01', '2000-02-29T23:59:59.999999999+23:59'),
  to: fc.constantFrom('2099-11-01', '9999-12-31T23:59:59Z'),
  option: fc.constantFrom('too_expensive', 'other'),
  comment: fc.constantFrom('', 'Twice the price of last year.', '💸'.repeat(3000), undefined),
};

/** Changes of a body by its field that keep its form right: only a look at the rows, or at the whole, shows what is wrong. */
export const SLIPS: Record<string, fc.Arbitrary<object>> = {
  flow_slug: fc.constantFrom({ flow_slug: '{{draft_slug}}' }, { flow_slug: 'none-has-it' }),
  offer_ids: fc
    .constantFrom(['{{foreign_offer}}'], ['{{offer}}', '{{archived_offer}}'], ['{{flow}}'])
    .map((offer_ids) => ({ offer_ids, flow_mode: 'simple', definition: undefined })),
  definition: anyDefinitions.map((definition) => ({
    definition: withOffers(definition),
    flow_mode: 'advanced',
    offer_ids: undefined,
  })),
  expires_at: fc.constant({ expires_at: '2000-01-01T00:00:00Z' }),
  node_key: fc.constantFrom('start', 'reason', 'offer_1', 'confirm', 'nowhere').map((node_key) => ({ node_key })),
  option: fc.constant({ node_key: 'reason', action: 'answer', option: 'nothing' }),
  session_limit: fc.constant({ session_limit: 0 }),
};

/** The ids that a path takes, by the segment before them: those of the workspace, then those that it must not reach. */
const IDS: Record<string, { own: string[]; others: string[] }> = {
  flows: { own: ['{{flow}}', '{{draft}}', '{{advanced}}', '{{archived}}'], others: ['{{foreign_flow}}'] },
  versions: { own: ['1'], others: ['0', '2', '-1', '1.5', '01', '2147483648', '99999999999999999999'] },
  offers: { own: [...OFFERS, '{{archived_offer}}'], others: ['{{foreign_offer}}'] },
  sessions: { own: SESSIONS, others: ['{{foreign_session}}'] },
  session: { own: SESSIONS, others: ['{{foreign_session}}'] },
  customers: { own: ['cus_4711', 'nobody'], others: ['foreign_customer'] },
  'api-keys': { own: ['{{spare_key_id}}', '{{revoked_key_id}}'], others: ['{{foreign_key_id}}'] },
  workspaces: { own: ['{{workspace}}'], others: ['{{foreign_workspace}}'] },
};

export function idsOf({ path }: Operation, parameter: string): { own: string[]; others: string[] } {
  const segment = path.split(`/{${parameter}}`)[0].split('/').at(-1)!;
  const ids = IDS[segment];
  if (!ids) throw new Error(`test/fuzz/hints.ts knows no ids for /${segment}/{${parameter}}`);
  return ids;
}

/** The graph with offers that there are. */
function withOffers(definition: FlowDefinition): unknown {
  const json = JSON.stringify(definition);
  return JSON.parse(
    json.replaceAll(/offer (\d)/g, (_, number: string) => OFFERS[Number(number) % OFFERS.length]),
  ) as unknown;
}

interface Content {
  ids: string[];
  body: Record<string, unknown> | undefined;
}

/** What the document can't say: which values go together. */
export function sensible<T extends Content>(content: T): T {
  const { body = {} } = content;
  const { offer_ids, action, option = 'other', comment, ...rest } = body;
  if ('definition' in body) return { ...content, body: { ...rest, flow_mode: 'advanced' } };
  if (offer_ids) return { ...content, body: { ...rest, offer_ids, flow_mode: 'simple' } };
  if (!action) return content;
  const [place, node_key] = PLACES[action as string] ?? [];
  const answer = action === 'answer' ? { option, comment } : {};
  return { ...content, ids: place ? [place] : content.ids, body: { node_key, action, ...answer } };
}

/** Where an action can be taken; `keep` and `cancel` can be anywhere. */
const PLACES: Record<string, [session: string, node_key: string]> = {
  continue: ['{{at_start}}', 'start'],
  answer: ['{{at_survey}}', 'reason'],
  accept: ['{{at_offer}}', 'offer_1'],
  decline: ['{{at_offer}}', 'offer_1'],
  confirm: ['{{at_confirm}}', 'confirm'],
};
