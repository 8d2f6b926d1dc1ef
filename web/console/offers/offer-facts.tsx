import type { Offer } from '@retention-flow/client';
import type { ComponentChildren } from 'preact';
import { Time } from '../ui/time';
import { conditionWords } from '../flows/graph/condition-words';
import { spanText } from './offer-differences';
import { nameOfType, OFFER_KINDS } from './offer-types';
import { OfferPicture } from './offer-picture';
import { termsDraftOf } from './terms';

/** An offer that is not to be changed: it is archived, or the key may only read. */
export function OfferFacts({ offer }: { offer: Offer }) {
  const metadata = Object.entries(offer.metadata);
  return (
    <div class="offer-edit">
      <div class="card">
        {offer.status === 'archived' && <p class="notice warning">This offer is archived. Flows pass over it.</p>}
        <dl class="facts">
          <Fact name="Type">{nameOfType(offer.offer_type)}</Fact>
          <Fact name="Value">{offer.offer_value || '–'}</Fact>
          <Fact name="Duration">{offer.offer_duration || '–'}</Fact>
          <Fact name="Applied by">{wayOf(offer)}</Fact>
          {offer.accept_url && <Fact name="Page after accepting">{offer.accept_url}</Fact>}
          {offer.limit && (
            <Fact name="Limit">
              {offer.limit.accepted} × in {offer.limit.within_days} days
            </Fact>
          )}
          {offer.available && <Fact name="Shown">{spanText(offer.available) || 'at any time'}</Fact>}
          {offer.when && <Fact name="Only for">{conditionWords(offer.when)}</Fact>}
          <Fact name="Created">
            <Time value={offer.created_at} />
          </Fact>
          <Fact name="Changed">
            <Time value={offer.updated_at} />
          </Fact>
        </dl>
        {metadata.length > 0 && (
          <>
            <h2>Metadata</h2>
            <dl class="facts">
              {metadata.map(([name, value]) => (
                <Fact key={name} name={name}>
                  {value || '–'}
                </Fact>
              ))}
            </dl>
          </>
        )}
      </div>
      <OfferPicture offer={offer} />
    </div>
  );
}

/** Who applies the offer, with the id that they need. */
function wayOf(offer: Offer): string {
  const { by, coupon, price } = termsDraftOf(offer);
  const [, name] = OFFER_KINDS[offer.offer_type].ways.find(([known]) => known === by)!;
  return [name, coupon || price].filter(Boolean).join(': ');
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
