import type { StoredState } from '../billing-jobs/fulfilment.entity';
import type { FulfilmentDto } from '../billing/dto/fulfilment.dto';
import { recordOf } from '../offers/shown-offer';
import {
  type AnswerDto,
  type Answered,
  answersOf,
  type Results,
  resultsOf,
  savedReasonOf,
  type WordedVersion,
} from '../runtime/answers';
import type { FlowSession } from '../sessions/flow-session.entity';
import type { SessionStatus } from '../sessions/session-status';
import type { SessionStep } from '../sessions/session-step.entity';
import type { Event } from './event.entity';
import type { EventType } from '../outbox/event-types';
import type { EndingOfferDataDto, FulfilmentDataDto, SavedSessionDataDto, SessionDataDto } from './dto/event-data.dto';

/** The body of an event (Standard Webhooks 1.0). Times are RFC 3339. */
export interface EventBody {
  type: EventType;
  /** false in a test workspace. */
  livemode: boolean;
  /** When it happened. */
  timestamp: string;
  data: object;
  /** For samples and previews: nothing of it happened. */
  test?: true;
}

/** The part of an event that its body contains. */
export type Happened = Pick<Event, 'type' | 'created_at'> & { livemode: boolean };

/** A session, as it was when the event happened. */
export type SessionEventData = SessionDataDto & Partial<SavedSessionDataDto & FulfilmentDataDto & EndingOfferDataDto>;

/** The part of a session that bodies contain. */
export interface ToldSession {
  session: Pick<
    FlowSession,
    | 'id'
    | 'flow_id'
    | 'flow_version'
    | 'source'
    | 'locale'
    | 'status'
    | 'customer_id'
    | 'customer'
    | 'customer_verified'
    | 'subscription_id'
    | 'billing_customer_id'
    | 'facts'
    | 'accepted_offer'
    | 'created_at'
    | 'updated_at'
  > &
    Partial<Pick<FlowSession, 'ended_at'>>;
  flow_name: string;
  /** The answers until the event, oldest first. */
  answers: AnswerDto[];
  /** The results of nodes of the site's own until the event, by the key of the node, oldest first. */
  results: Results;
  /** The fulfilment, in events about it. */
  fulfilment: FulfilmentDto;
}

/** A session as its rows describe it. */
export interface SessionRows extends Omit<ToldSession, 'answers' | 'results' | 'flow_name'> {
  /** Oldest first. */
  steps: (Answered & Pick<SessionStep, 'result' | 'created_at'> & Partial<Pick<SessionStep, 'action' | 'offer'>>)[];
  version: WordedVersion;
}

/** The specification recommends less than 20 kB. The mark of a test has room besides. */
const MAX_BYTES = 19_980;
/** Texts are cut to these lengths, one after another, until the body is small enough. */
const TEXT_LENGTHS = [1000, 200, 64];

const STATUSES: Partial<Record<EventType, SessionStatus>> = {
  'session.started': 'in_progress',
  'session.saved': 'saved',
  'session.canceled': 'canceled',
  'session.contacted': 'contacted',
  'session.abandoned': 'abandoned',
};

export function bodyOf({ type, livemode, created_at }: Happened, data: object): EventBody {
  return { type, livemode, timestamp: created_at.toISOString(), data };
}

/** The body of an event of a session. What happened later is left out. */
export function sessionBodyOf(event: Happened, { steps, version, ...rows }: SessionRows): EventBody {
  const before = steps.filter((step) => step.created_at <= event.created_at);
  const answers = answersOf(before, version, rows.session.locale);
  // A customer may have left since.
  const taken = before.find(({ action }) => action === 'accept')?.offer as FlowSession['accepted_offer'] | undefined;
  const accepted_offer = rows.session.accepted_offer ?? (event.type === 'session.contacted' ? (taken ?? null) : null);
  const session = { ...rows.session, accepted_offer };
  return toldBodyOf(event, { ...rows, session, flow_name: version.name, answers, results: resultsOf(before) });
}

/** The body of an event of a session. Answers are of no use when what they led to ends. */
export function toldBodyOf(event: Happened, told: ToldSession): EventBody {
  if (event.type !== 'offer.ending') return sizedBodyOf(event, told);
  const body = sizedBodyOf(event, { ...told, answers: [], results: {} });
  const { answers: _answers, results: _results, ...data } = body.data as SessionEventData;
  return { ...body, data };
}

function sizedBodyOf(event: Happened, told: ToldSession): EventBody {
  const full = dataOf(event, told);
  for (const length of [Infinity, ...TEXT_LENGTHS]) {
    const data = length === Infinity ? full : shortened(full, length);
    if (fits(event, data)) return bodyOf(event, data);
  }
  return bodyOf(event, shortest(event, full));
}

function fits(event: Happened, data: SessionEventData): boolean {
  return Buffer.byteLength(JSON.stringify(bodyOf(event, data))) <= MAX_BYTES;
}

function dataOf(
  { type }: Happened,
  { session, flow_name, answers, results, fulfilment }: ToldSession,
): SessionEventData {
  const { id, flow_id, flow_version, source, locale, customer_id, customer, customer_verified: verified } = session;
  const { subscription_id, billing_customer_id: billing_id } = session;
  // An event about a fulfilment comes after the end.
  const isFulfilment = type.startsWith('fulfilment.');
  const status = STATUSES[type] ?? session.status;
  const accepted = status === 'saved' || status === 'contacted' ? session.accepted_offer : null;
  return {
    session: {
      id,
      status,
      flow_id,
      flow_version,
      flow_name,
      source,
      locale,
      started_at: session.created_at,
      ended_at: status === 'saved' || status === 'canceled' ? (session.ended_at ?? session.updated_at) : null,
      customer:
        customer_id === null
          ? null
          : {
              id: customer_id,
              email: customer?.email ?? null,
              attributes: customer?.attributes ?? {},
              verified,
              subscription: subscription_id === null ? null : { id: subscription_id, billing_id },
            },
      facts: session.facts ?? {},
    },
    ...(type === 'session.saved' && { reason: savedReasonOf(accepted) }),
    answers,
    results,
    accepted_offer: accepted && recordOf(accepted),
    // Another state may have followed since: the event says its own.
    ...(isFulfilment && { fulfilment: { ...fulfilment, state: type.slice(type.indexOf('.') + 1) as StoredState } }),
    ...(type === 'offer.ending' && { effect: fulfilment.effect }),
  };
}

/**
 * Cuts the texts of customers and operators. Ids and keys are no longer than the shortest cut. Addresses and metadata
 * stay whole.
 */
function shortened(data: SessionEventData, length: number): SessionEventData {
  const { session, answers, accepted_offer: offer } = data;
  const { customer } = session;
  return {
    ...data,
    session: {
      ...session,
      customer: customer && { ...customer, attributes: cut(customer.attributes, length) },
      facts: cut(session.facts, length),
    },
    answers: answers.map((answer) => cut(answer, length)),
    accepted_offer: offer && { ...cut(offer, length), accept_url: offer.accept_url },
    truncated: true,
  };
}

/** An object whose texts are cut to this many characters. */
function cut<T extends object>(object: T, length: number): T {
  const shorten = (value: unknown) => (typeof value === 'string' ? [...value].slice(0, length).join('') : value);
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, shorten(value)])) as T;
}

/**
 * The data without results, then without attributes, and without the oldest answers that have no room. The rest always
 * fits.
 */
function shortest(event: Happened, full: SessionEventData): SessionEventData {
  const short = { ...shortened(full, TEXT_LENGTHS.at(-1)!), results: {} };
  if (fits(event, short)) return short;
  const { customer } = short.session;
  const data = { ...short, session: { ...short.session, customer: customer && { ...customer, attributes: {} } } };
  while (data.answers.length > 0 && !fits(event, data)) data.answers.shift();
  return data;
}
