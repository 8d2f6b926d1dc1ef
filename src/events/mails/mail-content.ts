import { groupBy } from '../../platform/common/group-by';
import { isBlank } from '../../platform/api/fields/text';
import type { EventType } from '../../outbox/event-types';
import { amountText } from '../../platform/common/minor-units';
import type { Declaration } from '../../exit/declaration.entity';
import { dueAt } from '../../exit/due';
import { clipped, KINDS, type MailContent, type MailSection, oneLine, section, utc } from '../../platform/mail/content';
import type { ShownOffer } from '../../offers/shown-offer';
import { subscriptionWords } from '../subscription-words';
import type { SessionEventData } from '../event-body';

/** Sessions of a summary with the same outcome and the same offer or reason. */
export interface SummaryCount {
  type: EventType;
  /** The offer that was accepted, or the reason that was given first; null if there is none. */
  label: string | null;
  sessions: number;
  first: Date;
  last: Date;
}

/** The most offers and reasons that a summary lists. */
const MAX_LINES = 10;

/** The mail about a session that has ended. */
export function sessionContent(flowName: string, time: string, data: SessionEventData): MailContent {
  const { session, answers, accepted_offer: offer } = data;
  const subscription = subscriptionWords(session.facts);
  const kind = session.status === 'saved' || session.status === 'contacted' ? session.status : 'canceled';
  const saved = offer
    ? { lead: 'The customer accepted an offer.', detail: offer.name }
    : { lead: 'The customer stayed without an offer.', detail: 'no offer accepted' };
  const { lead, detail } = {
    saved,
    contacted: { lead: 'The customer accepted an offer, and has not decided to stay yet.', detail: offer?.name },
    canceled: { lead: 'The customer went on to cancel.', detail: answers.at(0)?.own_label },
  }[kind];
  return {
    subject: subjectOf(kind, flowName, detail),
    kind,
    title: oneLine(flowName),
    lead,
    sections: [
      ...(offer ? [section('Offer accepted', offer.name, ...termsOf(offer))] : []),
      ...answers.map(({ own_label, comment }, index): MailSection => {
        const line = { text: oneLine(own_label), ...(comment && { quote: comment }) };
        return { label: index === 0 ? 'Reason' : 'Further answer', lines: [line] };
      }),
      ...(session.customer ? [section('Customer', nameOf(session.customer))] : []),
      ...(subscription === '' ? [] : [section('Subscription', subscription)]),
      section('Time', utc(time)),
    ],
    note: 'This mail goes to the notification address of the flow.',
  };
}

/** The mail about an accepted offer that ends soon. */
export function endingContent(
  flowName: string,
  { session, accepted_offer: offer, effect }: SessionEventData,
): MailContent {
  // It is forgotten with an erased customer.
  const { until = null, currency = '', price_now = null, price_then = null } = effect ?? {};
  const day = until?.slice(0, 10);
  const isPriced = price_now !== null && price_then !== null;
  const amount = (price: number) => amountText(price, currency, true);
  return {
    subject: subjectOf('ending', flowName, [offer!.name, day].filter(Boolean).join(', ')),
    kind: 'ending',
    title: oneLine(flowName),
    lead: `What a customer accepted ends ${day ? `on ${day}` : 'soon'}.`,
    sections: [
      section('Offer accepted', offer!.name, ...termsOf(offer!)),
      ...(isPriced ? [section('Price', `${amount(price_then)} now, ${amount(price_now)} then`)] : []),
      ...(session.customer ? [section('Customer', nameOf(session.customer))] : []),
    ],
    note: 'This mail goes to the notification address of the flow.',
  };
}

/** The mail to the team about a declaration on the exit page. */
export function declarationContent(flowName: string, declaration: Declaration): MailContent {
  const { kind, number, name, email, contract, termination, reason, when, created_at } = declaration;
  const due = dueAt(declaration);
  const isWithdrawal = kind === 'withdrawal';
  const day = due?.toISOString().slice(0, 10);
  const end = `End the contract: ${when ?? 'as soon as possible'}`;
  return {
    subject: subjectOf('declared', flowName, `${kind} ${number}`),
    kind: 'declared',
    title: oneLine(flowName),
    lead: isWithdrawal ? 'A customer withdrew from a contract.' : 'A customer cancelled a contract.',
    sections: [
      section('Number', number),
      section('Contract', contract),
      section('Due', isWithdrawal ? `Pay back by ${day}` : end),
      ...(termination ? [section('Kind', `${termination} termination`)] : []),
      ...(reason ? [{ label: 'Reason', lines: [{ text: "In the customer's words:", quote: reason }] }] : []),
      ...(name && email ? [section('Customer', name, email)] : []),
      section('Time', utc(created_at.getTime())),
    ],
    note: 'The customer gets a receipt. Anybody can fill in the page, so check who it was before you act.',
  };
}

/** The mail about several sessions. */
export function summaryContent(flowName: string, counts: SummaryCount[]): MailContent {
  const [saved, canceled, contacted, ending] = (
    ['session.saved', 'session.canceled', 'session.contacted', 'offer.ending'] as const
  ).map((type) => counts.filter((count) => count.type === type));
  const talks = contacted.length > 0 ? [`${sum(contacted)} want to talk`] : [];
  const ends = ending.length > 0 ? [`${sum(ending)} end soon`] : [];
  const numbers = [`${sum(saved)} saved`, `${sum(canceled)} went on to cancel`, ...talks, ...ends].join(', ');
  const first = Math.min(...counts.map((count) => count.first.getTime()));
  const last = Math.max(...counts.map((count) => count.last.getTime()));
  return {
    subject: subjectOf('summary', flowName, numbers),
    kind: 'summary',
    title: oneLine(flowName),
    lead: `More sessions ended: ${numbers}.`,
    sections: [
      ...countSection(`Saved (${sum(saved)})`, saved, 'No offer accepted'),
      ...countSection(`Went on to cancel (${sum(canceled)})`, canceled, 'No reason given'),
      ...countSection(`Want to talk (${sum(contacted)})`, contacted, 'An offer'),
      ...countSection(`Ends soon (${sum(ending)})`, ending, 'An offer'),
      section('Time', `from ${utc(first)}`, `to ${utc(last)}`),
    ],
    note: 'We limit the number of mails in an hour. This one covers the sessions that got no mail of their own.',
  };
}

function subjectOf(kind: MailContent['kind'], flowName: string, detail?: string): string {
  const subject = `${KINDS[kind]}: ${clipped(flowName)}`;
  return detail ? `${subject} (${clipped(detail)})` : subject;
}

/** The id of a customer. Anybody can name any customer, unless the site signs who they are. */
function nameOf({ id, verified }: NonNullable<SessionEventData['session']['customer']>): string {
  return verified ? `${id} (verified)` : id;
}

/** Value and duration in one line, if the offer has any. */
function termsOf({ offer_value, offer_duration }: Pick<ShownOffer, 'offer_value' | 'offer_duration'>): string[] {
  const terms = [offer_value, offer_duration].filter((term) => !isBlank(term));
  return terms.length > 0 ? [terms.join(', ')] : [];
}

/** The most frequent labels first, and the others together. */
function countSection(label: string, counts: SummaryCount[], without: string): MailSection[] {
  if (counts.length === 0) return [];
  const lines = [...groupBy(counts, (count) => oneLine(count.label ?? without))]
    .map(([text, own]) => ({ text, count: sum(own) }))
    .toSorted((a, b) => b.count - a.count);
  const others = lines.slice(MAX_LINES).reduce((total, { count }) => total + count, 0);
  return [{ label, lines: [...lines.slice(0, MAX_LINES), ...(others > 0 ? [{ text: 'Others', count: others }] : [])] }];
}

function sum(counts: SummaryCount[]): number {
  return counts.reduce((total, { sessions }) => total + sessions, 0);
}
