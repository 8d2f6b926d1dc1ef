import { OFFER_FIELDS } from '../../../src/offers/fields';
import type { Offer } from '@retention-flow/client';
import { inkOn } from '../../../client/dialog/color.ts';
import { pictureUrl } from '../pictures/picture-url';
import { useSession } from '../shell/session';
import { counted } from '../ui/format';
import { textsOf } from './offer-texts';

type Shown = Pick<
  Offer,
  | 'name'
  | 'offer_value'
  | 'offer_duration'
  | 'heading'
  | 'body'
  | 'cta_accept'
  | 'cta_decline'
  | 'terms'
  | 'image'
  | 'points'
>;

/**
 * An offer as customers see it in the widget, with what the service puts where a text is missing. Nothing in it can be
 * pressed.
 */
export function OfferPicture({ offer }: { offer: Shown }) {
  const shown = textsOf(offer);
  const months = Array.isArray(offer.terms?.months) ? offer.terms.months : [];
  const { primary_color } = useSession().workspace;
  return (
    <figure class="offer-picture">
      <figcaption class="soft">What customers see</figcaption>
      <div class="offer-dialog">
        <div class="offer-content">
          {offer.image && <img class="picture-shown" src={pictureUrl(offer.image.url)} alt={offer.image.alt} />}
          <p class="offer-heading" dir="auto">
            {shown(offer.heading) || offer.name || 'Heading'}
          </p>
          {offer.body && (
            <p class="offer-body" dir="auto">
              {shown(offer.body)}
            </p>
          )}
          {offer.points.length > 0 && (
            <ul class="offer-points">
              {offer.points.map((point) => (
                <li key={point} dir="auto">
                  {shown(point)}
                </li>
              ))}
            </ul>
          )}
          {months.map((one) => (
            <p key={one} class="offer-option">
              {counted(one, 'month')}
            </p>
          ))}
        </div>
        <div class="offer-buttons">
          <span class="offer-button" style={{ background: primary_color, color: inkOn(primary_color) }} dir="auto">
            {shown(offer.cta_accept) || OFFER_FIELDS.cta_accept.default}
          </span>
          <span class="offer-button secondary" dir="auto">
            {shown(offer.cta_decline) || OFFER_FIELDS.cta_decline.default}
          </span>
          <span class="offer-cancel">Cancel my subscription</span>
        </div>
      </div>
    </figure>
  );
}
