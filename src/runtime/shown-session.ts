import { languagesOfOffers } from '../platform/text/languages';
import type { Attributes } from '../platform/text/placeholders';
import type { FlowContent } from '../flows/versions/flow-version.entity';
import { acceptedView, type Closing, closingFor } from '../offers/shown-offer';
import type { SessionStatus } from '../sessions/session-status';
import type { ShownFulfilment } from '../billing-jobs/shown-fulfilment';
import type { Position } from './step/next-step';
import { canceledWords } from './canceled-words';
import { shown } from './shown-node';

/** What decides what the customer of a session sees. */
export interface SessionState {
  session_id: string;
  /** The status as it is now: `abandoned` counts. */
  status: SessionStatus;
  position: Position;
  version: FlowContent;
  /** The customer's language. */
  locale: string;
  /** The attributes of the customer, for the texts. */
  attributes: Attributes;
  /** The state of billing's job after the end; undefined without one. */
  fulfilment?: ShownFulfilment;
  /** Whether a person takes care of it. */
  isForPerson?: boolean;
  /** When the subscription ends, if the customer cancels or has canceled: an ISO time; undefined if it is not known. */
  ends?: string;
}

/** A session as its customer sees it. */
export function shownSession(state: SessionState) {
  const { session_id, status, position, version, locale, attributes, fulfilment = 'none' } = state;
  const { node_key, presented_offer, accepted_offer } = position;
  const languages = languagesOfOffers(locale, version.locale);
  return {
    session_id,
    status,
    node: status === 'in_progress' ? shown({ version, locale, attributes }, node_key, presented_offer) : null,
    redirect_url: position.status === 'canceled' ? version.cancellation_url : (accepted_offer?.accept_url ?? null),
    accepted_offer: accepted_offer && acceptedView(accepted_offer),
    fulfilment,
    ...(status === 'contacted' && { cancellation_url: version.cancellation_url }),
    closing: accepted_offer
      ? closingFor(accepted_offer, state.isForPerson ? 'by_person' : fulfilment, languages)
      : canceledClosing(state),
  };
}

/** What a customer reads who has canceled; undefined if they go to the cancellation page at once. */
function canceledClosing(state: SessionState): Closing | undefined {
  const { status, version, ends, fulfilment = 'none', isForPerson } = state;
  const isCarriedOut = fulfilment !== 'none' && !isForPerson;
  const isTold = status === 'canceled' && version.after_cancel === 'stay' && isCarriedOut;
  return isTold && ends !== undefined ? canceledWords(state, ends) : undefined;
}
