import { useEffect, useRef, useState } from 'preact/hooks';
import { href } from '../../shell/route';
import { Select } from '../../ui/field';
import { MAX_OFFERS } from '../../../../src/flows/graph/graph-limits';
import { activeOffers, type ChosenOffer } from './chosen-offer';
import { moved } from './move';
import { useDrag } from './drag';

interface OfferOrderProps {
  chosen: string[];
  offers: Map<string, ChosenOffer>;
  errorOf: (field: string) => string | undefined;
  onChange: (chosen: string[]) => void;
}

/** The offers of a simple flow, in the order in which customers see them. */
export function OfferOrder({ chosen, offers, errorOf, onChange }: OfferOrderProps) {
  const list = useRef<HTMLOListElement>(null);
  /** What gets the focus after a change: a row that moves loses it. */
  const next = useRef<string>(undefined);
  const [said, setSaid] = useState('');
  const [picked, setPicked] = useState('');
  const nameOf = (id: string) => offers.get(id)?.name ?? id;

  useEffect(() => {
    if (next.current) document.querySelector<HTMLElement>(next.current)?.focus();
    next.current = undefined;
  }, [chosen]);

  const move = (from: number, to: number, focus?: string) => {
    if (to < 0 || to >= chosen.length || to === from) return;
    next.current = focus && `#offer-${chosen[from]} .${focus}`;
    setSaid(`${nameOf(chosen[from])} is now ${to + 1} of ${chosen.length}.`);
    onChange(moved(chosen, from, to));
  };
  const remove = (index: number) => {
    const neighbour = chosen[index + 1] ?? chosen[index - 1];
    next.current = neighbour === undefined ? '#offer_ids' : `#offer-${neighbour} .remove`;
    setSaid(`${nameOf(chosen[index])} is removed.`);
    onChange(chosen.toSpliced(index, 1));
  };
  const left = activeOffers(offers).filter(({ id }) => !chosen.includes(id));
  const id = left.some((offer) => offer.id === picked) ? picked : left[0]?.id;
  const add = () => {
    next.current = '#offer_ids';
    setSaid(`${nameOf(id)} is now ${chosen.length + 1} of ${chosen.length + 1}.`);
    setPicked('');
    onChange([...chosen, id]);
  };
  const drag = useDrag(list, move);
  const error = errorOf('offer_ids');

  return (
    <div class="offer-order">
      {chosen.length === 0 ? (
        <p class="soft">No offers yet. Customers answer why they leave, and confirm.</p>
      ) : (
        <ol ref={list} aria-label="Offers in order">
          {chosen.map((id, index) => (
            <li key={id} id={`offer-${id}`} {...drag.rowAt(index)}>
              <span class="grip" aria-hidden="true" onPointerDown={(event) => drag.begin(event, index)}>
                ⠿
              </span>
              <OfferName offer={offers.get(id)} id={id} error={errorOf(`/offer_ids/${index}`)} />
              <span class="row-actions">
                <button
                  type="button"
                  class="quiet icon up"
                  aria-label={`Move ${nameOf(id)} up`}
                  aria-disabled={index === 0}
                  onClick={() => move(index, index - 1, 'up')}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="quiet icon down"
                  aria-label={`Move ${nameOf(id)} down`}
                  aria-disabled={index === chosen.length - 1}
                  onClick={() => move(index, index + 1, 'down')}
                >
                  ↓
                </button>
                <button
                  type="button"
                  class="quiet icon remove"
                  aria-label={`Remove ${nameOf(id)}`}
                  onClick={() => remove(index)}
                >
                  ✕
                </button>
              </span>
            </li>
          ))}
        </ol>
      )}
      <p class="unseen" role="status">
        {said}
      </p>
      {left.length > 0 && chosen.length < MAX_OFFERS ? (
        <div class="add-offer">
          <Select
            name="offer_ids"
            label="Offer to add"
            error={error}
            value={id}
            options={left.map(({ id, name }) => [id, name])}
            onInput={setPicked}
          />
          <button type="button" class="quiet" onClick={add}>
            Add offer
          </button>
        </div>
      ) : (
        error && <p class="wrong">{error}</p>
      )}
      {offers.size === 0 && (
        <p class="soft">
          There are no offers to choose from. <a href={href('/offers/new')}>Create an offer</a>
        </p>
      )}
    </div>
  );
}

function OfferName({ offer, id, error }: { offer: ChosenOffer | undefined; id: string; error: string | undefined }) {
  const terms = offer && [offer.offer_value, offer.offer_duration].filter(Boolean).join(' · ');
  return (
    <span class="chosen-offer">
      <strong>{offer?.name ?? id}</strong>
      {terms && <span class="soft">{terms}</span>}
      {offer?.isArchived && <span class="wrong">Archived: customers do not see it.</span>}
      {error && <span class="wrong">{error}</span>}
    </span>
  );
}
