import type { WorkspaceStats } from '@retention-flow/client';
import { href } from '../shell/route';
import { Bars } from '../ui/bars';
import { count, percent } from '../ui/format';
import type { Span } from '../ui/span';
import { type OfferSum, offersOf, type SurveySum, surveysOf } from './sums';
import { netWords, worthWords } from './worth';

type Flows = WorkspaceStats['flows'];

/** Each leads to what customers wrote. */
export function Reasons({ flows, span }: { flows: Flows; span: Span }) {
  const surveys = surveysOf(flows);
  return (
    <section class="card">
      <h2>Why customers leave</h2>
      {surveys.length === 0 && <p class="soft">No survey was answered in these days.</p>}
      {surveys.map((survey) => (
        <Survey
          key={`${survey.flow.flow_id} ${survey.node_key}`}
          survey={survey}
          span={span}
          name={surveys.length === 1 ? undefined : nameOf(survey, flows)}
        />
      ))}
    </section>
  );
}

interface SurveyProps {
  survey: SurveySum;
  span: Span;
  /** Tells it from the other surveys. */
  name: string | undefined;
}

function Survey({ survey: { flow, reasons, sessions: answers }, span: { from, to }, name }: SurveyProps) {
  const rows = reasons.map(({ option, label, sessions, saved, value }) => ({
    key: option,
    label,
    href: href('/comments', { flow_id: flow.flow_id, reason: option, from, to }),
    value: sessions,
    part: saved,
    numbers: [count(sessions), percent(sessions / answers), percent(saved / sessions)],
    ...(value?.length && { note: `${worthWords(atRisk(value))} at risk a month, ${worthWords(value)} kept` }),
  }));
  return (
    <>
      {name && <h3>{name}</h3>}
      <Bars
        caption={name ? `Sessions by reason, ${name}` : 'Sessions by reason'}
        columns={['Reason', 'Sessions', 'Of answers', 'Saved']}
        rows={rows}
      />
    </>
  );
}

/** What all customers are worth who gave a reason, not those alone who stayed. */
function atRisk(value: NonNullable<SurveySum['reasons'][number]['value']>) {
  return value.map(({ currency, at_risk: saved }) => ({ currency, saved }));
}

/** What the offer leaves of it; nothing while that is not known. */
function afterOffer(value: OfferSum['value']): string {
  const words = netWords(value);
  return words === '–' ? '' : `, ${words} after the offer`;
}

function nameOf({ flow, node_key }: SurveySum, flows: Flows): string {
  return flows.length === 1 ? node_key : `${flow.name}: ${node_key}`;
}

export function Offers({ flows }: { flows: Flows }) {
  const offers = offersOf(flows).filter(({ presented }) => presented > 0);
  const rows = offers.map(({ id, name, presented, accepted, value }) => ({
    key: id,
    label: name,
    href: href(`/offers/${id}`),
    value: presented,
    part: accepted,
    numbers: [count(presented), count(accepted), percent(accepted / presented)],
    ...(value?.length && { note: `${worthWords(value)} kept a month${afterOffer(value)}` }),
  }));
  return (
    <section class="card">
      <h2>What makes them stay</h2>
      {rows.length === 0 ? (
        <p class="soft">No offer was shown in these days.</p>
      ) : (
        <Bars caption="Sessions by offer" columns={['Offer', 'Shown', 'Accepted', 'Rate']} rows={rows} />
      )}
    </section>
  );
}
