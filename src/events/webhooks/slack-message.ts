import type { OfferRecordDto } from '../../offers/dto/offer-content.dto';
import type { DeclarationDto } from '../../exit/dto/declaration.dto';
import { consolePage } from '../../platform/common/console-page';
import { oneLine } from '../../platform/mail/content';
import type { DisabledWebhookDto, ErasedSessionDto, EventFlowDto, EventWorkspaceDto } from '../dto/event-data.dto';
import type { EventBody, SessionEventData } from '../event-body';
import { subscriptionWords } from '../subscription-words';
import { EVENT_SUMMARIES } from '../../outbox/event-types';

/** What the bodies of events may contain. */
type Told = Partial<
  SessionEventData & {
    declaration: DeclarationDto;
    workspace: EventWorkspaceDto;
    flow: EventFlowDto & { note?: string | null };
    webhook: Partial<DisabledWebhookDto>;
    sessions: ErasedSessionDto[];
  }
>;

/**
 * The most characters of a text and of a label. Slack takes 3,000 in a section, where `&` has five:
 * https://docs.slack.dev/reference/block-kit/blocks/section-block
 */
const MOST = { text: 500, label: 80 };
const MOST_ANSWERS = 10;

const number = new Intl.NumberFormat('en');

/**
 * An event as a message for an incoming webhook of Slack: what happened, where, the subscription, what the customer
 * said, in the language of the flow, and a link to the session. It names the customer by id.
 *
 * @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export function slackMessageOf({ type, data, test }: EventBody, publicUrl?: string): object {
  const told = data as Told;
  const summary = `${EVENT_SUMMARIES[type]}.`;
  const place = told.session?.flow_name ?? told.flow?.name;
  const name = bold(place ?? '');
  const lead = name === '' ? summary : `*${name}*: ${summary}`;
  const about = [
    ...(told.session?.customer ? [plain(`Customer ${told.session.customer.id}`)] : []),
    ...(test ? ['Test'] : []),
    // There is no session of a test.
    ...(told.session && publicUrl && !test
      ? [`<${consolePage(publicUrl, `sessions/${told.session.id}`)}|Open the session>`]
      : []),
  ];
  return {
    // For notifications. The blocks are what a channel shows.
    text: lead,
    blocks: [
      ...[lead, ...detailsOf(told)].filter(Boolean).map((text) => ({ type: 'section', text: words(text) })),
      ...(about.length > 0 ? [{ type: 'context', elements: about.map(words) }] : []),
    ],
  };
}

function detailsOf({ accepted_offer, answers = [], effect, fulfilment, ...told }: Told): string[] {
  const { session, declaration, workspace, flow, webhook, sessions } = told;
  const subscription = subscriptionWords(session?.facts ?? {});
  return [
    ...(subscription === '' ? [] : [plain(subscription)]),
    ...(accepted_offer ? [`Accepted: ${plain(accepted_offer.name)}${monthsOf(accepted_offer)}`] : []),
    ...answers.slice(0, MOST_ANSWERS).map(({ own_label, comment }) => {
      return [plain(own_label, MOST.label), comment ? `> ${plain(comment)}` : ''].filter(Boolean).join('\n');
    }),
    ...(effect?.until ? [`It ends on ${effect.until.slice(0, 10)}.`] : []),
    ...(fulfilment?.detail ? [plain(fulfilment.detail)] : []),
    ...(declaration
      ? [`${declaration.kind === 'withdrawal' ? 'Withdrawal' : 'Termination'} ${declaration.number}`]
      : []),
    ...(workspace
      ? [`${number.format(workspace.sessions_used)} of ${number.format(workspace.session_limit)} sessions are used.`]
      : []),
    ...(flow ? [plain(flow.note ? `Version ${flow.version}: ${flow.note}` : `Version ${flow.version}`)] : []),
    ...(webhook?.description ? [plain(webhook.description)] : []),
    ...(webhook?.reason ? [plain(webhook.reason)] : []),
    ...(sessions ? [`Erase what was told of them. Sessions: ${number.format(sessions.length)}`] : []),
  ];
}

/** The months of a pause, unless its name says the number: the customer may have chosen them. */
function monthsOf({ name, terms }: OfferRecordDto): string {
  const months = terms?.months;
  if (typeof months !== 'number' || new RegExp(String.raw`\b${months}\b`).test(name)) return '';
  return months === 1 ? ' (1 month)' : ` (${months} months)`;
}

/** What somebody wrote, in a line, as text: nobody is mentioned, and nothing is linked. */
function plain(text: string, most = MOST.text): string {
  const characters = [...oneLine(text)];
  const short = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
  // These three are escaped, and no other: https://docs.slack.dev/messaging/formatting-message-text
  return short.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes text between asterisks. */
function bold(text: string): string {
  return plain(text).replaceAll('*', '').trim();
}

function words(text: string): object {
  return { type: 'mrkdwn', text, verbatim: true };
}
