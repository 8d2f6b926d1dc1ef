import type { OfferListItem } from '@retention-flow/client';
import { href } from '../shell/route';
import { count, percent } from '../ui/format';
import { nameOfType } from './offer-types';
import type { OfferSum } from '../overview/sums';
import { textsOf } from './offer-texts';

interface OfferRowProps {
  offer: OfferListItem;
  /** Undefined until they are read. */
  numbers: OfferSum | 'none' | undefined;
}

export function OfferRow({ offer, numbers }: OfferRowProps) {
  const heading = textsOf(offer)(offer.heading);
  return (
    <tr>
      <td class="offer-name">
        <a href={href(`/offers/${offer.id}`)}>{offer.name}</a>
        {heading !== offer.name && <div class="soft">{heading}</div>}
      </td>
      <td>{nameOfType(offer.offer_type)}</td>
      <td class="offer-term">{offer.offer_value || '–'}</td>
      <td class="offer-term">{offer.offer_duration || '–'}</td>
      <td class="number">{shown(numbers)}</td>
      <td class="number">
        {accepted(numbers)}
        {numbers && numbers !== 'none' && numbers.withheld > 0 && (
          <div class="soft">withheld in {count(numbers.withheld)}</div>
        )}
      </td>
    </tr>
  );
}

function shown(numbers: OfferRowProps['numbers']) {
  if (!numbers) return '–';
  return numbers === 'none' ? '0' : count(numbers.presented);
}

function accepted(numbers: OfferRowProps['numbers']) {
  if (!numbers) return '–';
  if (numbers === 'none' || numbers.presented === 0) return '0';
  return (
    <>
      {count(numbers.accepted)} <span class="soft">{percent(numbers.accepted / numbers.presented)}</span>
    </>
  );
}
