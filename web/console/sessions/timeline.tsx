import type { FlowNode, SessionRecord } from '@retention-flow/client';
import { resolve } from '../../../src/platform/text/placeholders';
import { exitWords } from '../flows/graph/exit-words';
import { TYPE_NAMES } from '../flows/graph/graph-outline';
import { jsonText } from '../ui/json';
import { counted } from '../ui/format';
import { Time } from '../ui/time';
import { duration } from './duration';
import { ended } from './words';

type Withheld = NonNullable<SessionRecord['steps'][number]['withheld']>[number];

/** Why a customer did not see an offer. */
const WITHHELD: Record<Withheld['reason'], string> = {
  limit: 'they have accepted it as often as its limit allows',
  offer_limit: 'they have accepted as many offers as the workspace allows',
  archived: 'it is archived',
  not_now: 'it had not begun, or was over',
  conditions: 'its conditions did not hold, or what they ask was not known',
  discounted_already: 'the subscription has this discount, or one that was accepted here still runs',
  currency: 'it is in another currency than the subscription',
  interval: 'the subscription is paid at other times than the offer is made for',
  schedule: 'a schedule in Stripe manages the subscription',
  unpaid: 'a payment has failed',
  paused: 'the subscription is paused',
  coupon: 'Stripe does not know its coupon, or it can no longer be redeemed',
  price: 'the subscription has this price already, or the price is archived or unknown',
  items: 'the items of the subscription are paid on different days',
  usage: 'the subscription is paid by usage',
  nothing: 'it would change nothing',
  unread: 'Stripe did not say in time whether it has its coupon or price',
};

type TakenStep = SessionRecord['steps'][number];
type Nodes = Map<string, FlowNode>;
type Offers = Map<string, { name: string }>;

const ACTIONS: Record<TakenStep['action'], string> = {
  continue: 'Continued',
  answer: 'Answered',
  accept: 'Accepted the offer',
  decline: 'Declined the offer',
  refused: 'Accepted the offer, which its limit refused',
  confirm: 'Confirmed the cancellation',
  keep: 'Kept the subscription',
  cancel: 'Canceled at once',
};

/** How a session ended. */
const ENDS = { saved: 'Stayed', canceled: 'Left', contacted: 'Has not decided yet' };

interface TimelineProps {
  session: SessionRecord;
  nodes: Nodes;
  /** Texts of the nodes may name it. */
  productName: string;
  offers: Offers;
}

/** The path of a session through the graph: what was shown, and what the customer did. */
export function Timeline({ session, nodes, productName, offers }: TimelineProps) {
  const { steps, created_at: start, current_node: current, customer } = session;
  const filled = (text: string) => resolve(text, customer?.attributes ?? {}, { product_name: productName });
  const titleOf = (node: FlowNode | undefined) =>
    node && 'title' in node.config ? filled(node.config.title) : undefined;
  return (
    <section class="card">
      <h2>Step by step</h2>
      <ol class="timeline">
        {steps.map((step, index) => (
          <Step
            key={index}
            step={step}
            node={nodes.get(step.node_key)}
            nodes={nodes}
            filled={filled}
            offers={offers}
            before={steps[index - 1]?.at ?? start}
          />
        ))}
        <li class={`step end ${session.status}`}>
          {ended(session) ? (
            <h3>{ENDS[session.status as keyof typeof ENDS]}</h3>
          ) : (
            <>
              <h3>{session.status === 'abandoned' ? 'Left without a decision at' : 'Now at'}</h3>
              <p>
                {titleOf(current === null ? undefined : nodes.get(current)) ?? current}{' '}
                {current && <code>{current}</code>}
              </p>
            </>
          )}
        </li>
      </ol>
    </section>
  );
}

interface StepProps {
  step: TakenStep;
  node: FlowNode | undefined;
  nodes: Nodes;
  /** A text with what is known in place of its placeholders. */
  filled: (text: string) => string;
  offers: Offers;
  before: string;
}

function Step({ step, node, nodes, filled, offers, before }: StepProps) {
  const { offer } = step;
  const { title, body } = (node?.config ?? {}) as { title?: string; body?: string };
  const answers = step.options ?? (step.option === null ? [] : [step.option]);
  const shownBody = offer ? offer.body : body && filled(body);
  return (
    <li class="step">
      <div class="card-head">
        <h3>{offer?.heading ?? (title && filled(title)) ?? step.node_key}</h3>
        <span class="soft">
          <Time value={step.at} /> · after {duration(before, step.at)}
        </span>
      </div>
      <p class="soft">
        {TYPE_NAMES[step.node_type]} <code>{step.node_key}</code>
      </p>
      {shownBody && <p class="shown">{shownBody}</p>}
      {offer && (
        <p class="soft">Offer: {[offer.name, offer.offer_value, offer.offer_duration].filter(Boolean).join(' · ')}</p>
      )}
      <p class="done">
        <strong>{ACTIONS[step.action]}</strong>
        {answers.length > 0 && <>: {answers.map((option) => labelOf(node, option)).join(', ')}</>}
        {step.months !== null && <> for {counted(step.months, 'month')}</>}
      </p>
      {step.result !== null && <pre class="shown">{jsonText(step.result)}</pre>}
      {step.comment !== null && <blockquote>{step.comment}</blockquote>}
      {step.withheld?.map(({ offer_id, reason }) => (
        <p key={offer_id} class="way">
          Not shown: {offers.get(offer_id)?.name ?? 'an offer'}. The reason: {WITHHELD[reason]}.
        </p>
      ))}
      {Object.entries(step.ways ?? {}).map(([key, way]) => (
        <p key={key} class="way">
          {pathWords(nodes.get(key), key, way)}
        </p>
      ))}
    </li>
  );
}

/** Why the customer went on as they did, after a branch or a split. */
function pathWords(node: FlowNode | undefined, key: string, way: string): string {
  if (node?.type !== 'branch') return `The test “${key}” gave the customer “${way}”.`;
  if (way === 'next') return `The branch “${key}”: no condition was true.`;
  return `The branch “${key}”: ${exitWords(node, { action: 'way', value: way })}.`;
}

function labelOf(node: FlowNode | undefined, option: string): string {
  const options = node?.type === 'survey' ? node.config.options : [];
  return options.find(({ value }) => value === option)?.label ?? option;
}
