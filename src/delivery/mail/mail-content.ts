import { groupBy } from '../../common/group-by';
import { isBlank } from '../../common/text';
import type { EventType } from '../../events/event-types';
import type { Declaration } from '../../exit/declaration.entity';
import { dueAt } from '../../exit/due';
import type { ShownOffer } from '../../offers/offer-content';
import type { SessionEventData } from '../event-body';

/** How a mail begins. When it is sent, nobody knows yet whether the subscription is canceled. */
export const OUTCOMES = {
  saved: 'Saved',
  canceled: 'Went on to cancel',
  declared: 'Declaration',
  summary: 'Summary',
};

/** What a mail says, however it is laid out. All texts are single lines, except quotes. */
export interface MailContent {
  subject: string;
  outcome: keyof typeof OUTCOMES;
  /** The name of the flow. */
  title: string;
  /** What happened, as a sentence. */
  lead: string;
  sections: MailSection[];
  note: string;
}

export interface MailSection {
  label: string;
  lines: { text: string; count?: number; quote?: string }[];
}

/** Sessions of a summary with the same outcome and the same offer or reason. */
export interface SummaryCount {
  type: EventType;
  /** The offer that was accepted, or the reason that was given first; null if there is none. */
  label: string | null;
  sessions: number;
  first: Date;
  last: Date;
}

/** The longest text that a subject quotes, in characters. */
const MAX_IN_SUBJECT = 100;

/** The most offers and reasons that a summary tells apart. */
const MAX_LINES = 10;

/** The mail about a session that was saved or canceled. */
export function sessionContent(flowName: string, time: string, data: SessionEventData): MailContent {
  const { session, answers, accepted_offer: offer } = data;
  const outcome = session.status === 'saved' ? 'saved' : 'canceled';
  const saved = offer
    ? { lead: 'The customer accepted an offer.', detail: offer.name }
    : { lead: 'The customer stayed without an offer.', detail: 'no offer accepted' };
  const canceled = { lead: 'The customer went on to cancel.', detail: answers.at(0)?.label };
  const { lead, detail } = outcome === 'saved' ? saved : canceled;
  return {
    subject: subjectOf(outcome, flowName, detail),
    outcome,
    title: oneLine(flowName),
    lead,
    sections: [
      ...(offer ? [section('Offer accepted', offer.name, ...termsOf(offer))] : []),
      ...answers.map(({ label, comment }, index): MailSection => {
        const line = { text: oneLine(label), ...(comment && { quote: comment }) };
        return { label: index === 0 ? 'Reason' : 'Further answer', lines: [line] };
      }),
      ...(session.customer ? [section('Customer', nameOf(session.customer))] : []),
      section('Time', utc(time)),
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
    outcome: 'declared',
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
  const [saved, canceled] = (['session.saved', 'session.canceled'] as const).map((type) =>
    counts.filter((count) => count.type === type),
  );
  const numbers = `${sum(saved)} saved, ${sum(canceled)} went on to cancel`;
  const first = Math.min(...counts.map((count) => count.first.getTime()));
  const last = Math.max(...counts.map((count) => count.last.getTime()));
  return {
    subject: subjectOf('summary', flowName, numbers),
    outcome: 'summary',
    title: oneLine(flowName),
    lead: `More sessions ended: ${numbers}.`,
    sections: [
      ...countSection(`Saved (${sum(saved)})`, saved, 'No offer accepted'),
      ...countSection(`Went on to cancel (${sum(canceled)})`, canceled, 'No reason given'),
      section('Time', `from ${utc(first)}`, `to ${utc(last)}`),
    ],
    note: 'We limit the number of mails in an hour. This one covers the sessions that got no mail of their own.',
  };
}

function subjectOf(outcome: MailContent['outcome'], flowName: string, detail?: string): string {
  const subject = `${OUTCOMES[outcome]}: ${clipped(flowName)}`;
  return detail ? `${subject} (${clipped(detail)})` : subject;
}

function section(label: string, ...texts: string[]): MailSection {
  return { label, lines: texts.map((text) => ({ text: oneLine(text) })) };
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

function utc(time: string | number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A text as a single line without control characters, such as those that would end a header field. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** A text as it fits into a subject. */
function clipped(text: string): string {
  const characters = [...oneLine(text)];
  if (characters.length <= MAX_IN_SUBJECT) return characters.join('');
  return `${characters
    .slice(0, MAX_IN_SUBJECT - 1)
    .join('')
    .trimEnd()}…`;
}
