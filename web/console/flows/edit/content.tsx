import type { BodyError } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { canonicalTag } from '../../../../src/platform/text/languages';
import { defaultSurvey } from '../../../../src/flows/graph/simple-definition';
import { FlowGraph } from '../graph/flow-graph';
import type { ChosenOffer } from './chosen-offer';
import { composed } from './draft';
import type { Choice } from './editing';
import type { PartProps } from './general-fields';
import { GraphEditor } from './graph-editor';
import { JsonEditor } from './json-editor';
import { type Fault } from './model/fault-words';
import { simpleOf } from './model/simple';
import { OfferOrder } from './offer-order';
import { SurveyWords } from './survey-words';
import type { Edited } from './use-edited';

const VIEWS = [
  ['graph', 'Graph'],
  ['list', 'List'],
  ['json', 'JSON'],
] as const;
type View = (typeof VIEWS)[number][0];

/** On a phone, a list is easier to hit than a picture. */
const firstView = (): View => (matchMedia('(max-width: 40rem)').matches ? 'list' : 'graph');

interface ContentProps extends Omit<PartProps, 'onChange'> {
  edited: Edited;
  offers: Map<string, ChosenOffer>;
  faults: BodyError[];
  /** The same faults in words. */
  words: Fault[];
}

/** What customers go through: offers in order, or a graph. */
export function Content(props: ContentProps) {
  const { draft, edited } = props;
  const isSimple = draft.flow_mode === 'simple';
  const simple = edited.graph && simpleOf(edited.graph, canonicalTag(draft.locale));
  return (
    <section class="card" aria-labelledby="content">
      <div class="card-head">
        <h2 id="content">What customers see</h2>
        {isSimple && (
          <button
            type="button"
            class="quiet small"
            onClick={() => edited.change({ flow_mode: 'advanced', definition: composed(draft), survey: null })}
          >
            Edit as a graph
          </button>
        )}
        {simple && (
          <button
            type="button"
            class="quiet small"
            onClick={() => edited.change({ flow_mode: 'simple', ...simple, definition: undefined })}
          >
            Back to a list of offers
          </button>
        )}
      </div>
      {isSimple ? <SimpleContent {...props} /> : <GraphContent {...props} />}
    </section>
  );
}

/** A survey of reasons, then offers in order. */
function SimpleContent({ draft, edited, errorOf, offers, words }: ContentProps) {
  const [said, setSaid] = useState('');
  return (
    <div class="drawn">
      <div class="step-fields">
        <h3>Survey</h3>
        <Faults words={words} />
        <SurveyWords
          config={draft.survey ?? defaultSurvey(canonicalTag(draft.locale) ?? 'en')}
          isHeard={draft.cancel_in_billing}
          onChange={(survey, { said = '', subject }) => {
            edited.change({ survey }, subject);
            setSaid(said);
          }}
        />
        <p class="unseen" role="status">
          {said}
        </p>
        <h3>Offers</h3>
        <OfferOrder
          chosen={draft.offer_ids}
          offers={offers}
          errorOf={errorOf}
          onChange={(offer_ids) => edited.change({ offer_ids })}
        />
      </div>
      <div class="drawing">
        <FlowGraph definition={composed(draft)} offers={offers} />
      </div>
    </div>
  );
}

function Faults({ words }: { words: Fault[] }) {
  if (words.length === 0) return null;
  return (
    <ul class="notice error" aria-label="Faults">
      {words.map(({ words }) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  );
}

function GraphContent({ draft, edited, offers, faults, words }: ContentProps) {
  const [view, setView] = useState<View>(firstView);
  const [choice, setChoice] = useState<Choice>();
  const { graph, read } = edited;
  const shown = graph ? view : 'json';
  return (
    <>
      <div class="choice" role="group" aria-label="View">
        {VIEWS.map(([one, name]) => (
          <button key={one} type="button" aria-pressed={one === shown} disabled={!graph} onClick={() => setView(one)}>
            {name}
          </button>
        ))}
      </div>
      {!graph && <p class="soft">This JSON is no graph that can be edited step by step.</p>}
      {graph && shown !== 'json' ? (
        <GraphEditor
          graph={graph}
          offers={offers}
          faults={words}
          isHeard={draft.cancel_in_billing}
          view={shown}
          choice={choice}
          onChoose={setChoice}
          onChange={(definition, subject) => edited.change({ definition }, subject)}
        />
      ) : (
        <JsonEditor
          read={read}
          faults={faults.flatMap(({ pointer, message }) =>
            /^\/definition(\/|$)/.test(pointer) ? [{ pointer: pointer.slice('/definition'.length), message }] : [],
          )}
          onInput={edited.write}
        />
      )}
    </>
  );
}
