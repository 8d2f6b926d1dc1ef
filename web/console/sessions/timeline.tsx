import type { FlowNode, SessionRecord } from '@retention-flow/client';
import { WITHHELD } from '../offers/withheld';
import { Time } from '../ui/time';
import { duration } from './duration';
import { ended } from './words';

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

/** The way of a session through the graph: what was shown, and what the customer did. */
export function Timeline({ session, nodes, offers }: { session: SessionRecord; nodes: Nodes; offers: Offers }) {
  const { steps, created_at: start, current_node: current } = session;
  return (
    <section class="card">
      <h2>The way through the flow</h2>
      <ol class="timeline">
        {steps.map((step, index) => (
          <Step
            key={index}
            step={step}
            node={nodes.get(step.node_key)}
            offers={offers}
            before={steps[index - 1]?.at ?? start}
          />
        ))}
        <li class={`step end ${session.status}`}>
          {ended(session) ? (
            <h3>{session.status === 'saved' ? 'Stayed' : 'Left'}</h3>
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
  offers: Offers;
  before: string;
}

function Step({ step, node, offers, before }: StepProps) {
  const { offer } = step;
  const body = offer ? offer.body : node && 'body' in node.config ? node.config.body : undefined;
  return (
    <li class="step">
      <div class="card-head">
        <h3>{offer?.heading ?? titleOf(node) ?? step.node_key}</h3>
        <span class="soft">
          <Time value={step.at} /> · after {duration(before, step.at)}
        </span>
      </div>
      <p class="soft">
        {step.node_type} <code>{step.node_key}</code>
      </p>
      {body && <p class="shown">{body}</p>}
      {offer && (
        <p class="soft">Offer: {[offer.name, offer.offer_value, offer.offer_duration].filter(Boolean).join(' · ')}</p>
      )}
      <p class="done">
        <strong>{ACTIONS[step.action]}</strong>
        {step.option !== null && <>: {labelOf(node, step.option)}</>}
      </p>
      {step.comment !== null && <blockquote>{step.comment}</blockquote>}
      {step.withheld?.map(({ offer_id, reason }) => (
        <p key={offer_id} class="way">
          Not shown: {offers.get(offer_id)?.name ?? 'an offer'}. The reason: {WITHHELD[reason]}.
        </p>
      ))}
      {Object.entries(step.ways ?? {}).map(([split, way]) => (
        <p key={split} class="way">
          Split <code>{split}</code> sent the customer the way <code>{way}</code>
        </p>
      ))}
    </li>
  );
}

function titleOf(node: FlowNode | undefined): string | undefined {
  return node && 'title' in node.config ? node.config.title : undefined;
}

function labelOf(node: FlowNode | undefined, option: string): string {
  const options = node?.type === 'survey' ? node.config.options : [];
  return options.find(({ value }) => value === option)?.label ?? option;
}
