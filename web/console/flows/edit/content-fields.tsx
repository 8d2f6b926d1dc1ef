import type { FieldError } from '@retention-flow/client';
import { FlowGraph } from '../graph/flow-graph';
import { DefinitionEditor } from './definition-editor';
import { composed } from './definitions';
import type { ReadText } from './definition-text';
import type { PartProps } from './general-fields';
import { type ChosenOffer, OfferOrder } from './offer-order';

interface ContentProps extends PartProps {
  offers: Map<string, ChosenOffer>;
  read: ReadText;
  /** What the service found wrong with the definition. */
  faults: FieldError[];
}

const MODES = [
  ['simple', 'Simple', 'A survey of reasons, then offers in order.'],
  ['advanced', 'Advanced', 'A graph of your own, as JSON: branches, experiments, other questions.'],
] as const;

/** What customers go through: offers in order, or a graph. */
export function ContentFields({ draft, onChange, errorOf, offers, read, faults }: ContentProps) {
  const isSimple = draft.flow_mode === 'simple';
  return (
    <section class="card" aria-labelledby="content">
      <h2 id="content">What customers see</h2>
      <fieldset class="modes">
        <legend class="unseen">Mode</legend>
        {MODES.map(([mode, name, about]) => (
          <label key={mode} class="mode">
            <input
              type="radio"
              name="flow_mode"
              value={mode}
              aria-label={name}
              aria-describedby={`mode-${mode}`}
              checked={draft.flow_mode === mode}
              onChange={() => onChange({ flow_mode: mode })}
            />
            <span>
              <strong>{name}</strong>
              <span id={`mode-${mode}`} class="soft">
                {about}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {errorOf('flow_mode') && <p class="wrong">{errorOf('flow_mode')}</p>}
      {isSimple ? (
        <div class="drawn">
          <OfferOrder
            chosen={draft.offer_ids}
            offers={offers}
            errorOf={errorOf}
            onChange={(offer_ids) => onChange({ offer_ids })}
          />
          <div class="drawing">
            <FlowGraph definition={composed(draft.product_name, draft.offer_ids)} offers={offers} />
          </div>
        </div>
      ) : (
        <DefinitionEditor
          read={read}
          offers={offers}
          faults={faults}
          onInput={(definition) => onChange({ definition })}
        />
      )}
    </section>
  );
}
