import { applyDecorators } from '@nestjs/common';
import { ApiConflictResponse, ApiExtraModels, ApiPropertyOptional } from '@nestjs/swagger';
import { withValues } from '../../platform/text/placeholders';
import { Problem } from '../../platform/api/problems/problem';
import { EXAMPLE_REQUEST_ID, ProblemDto } from '../../platform/api/problems/problem.dto';
import { AnyText, Choice, Id, One, WebUrl } from '../../platform/api/fields/shown';
import { oneOfBy, WEB_URL } from '../../platform/api/fields/schemas';
import { SHOWN_NODE_TYPES } from '../../flows/graph/graph-limits';
import type { Closing } from '../../offers/shown-offer';
import { SESSION_STATUSES, STATUSES_TEXT, type SessionStatus } from '../../sessions/session-status';
import { SHOWN_FULFILMENTS, type ShownFulfilment } from '../../billing-jobs/shown-fulfilment';
import { AcceptedOfferDto } from '../../offers/dto/offer-content.dto';
import { ApiNodeProperty } from '../node.dto';
import type { RuntimeNode } from '../shown-node';
import { type SessionState, shownSession } from '../shown-session';
import { type Branded, BrandingDto } from '../start/start.dto';

const CANCELLATION_URL = 'https://acme.example/account/cancel';

/** What a customer reads at the end. */
export class ClosingDto implements Closing {
  @AnyText(withValues(200), 'Its title.', 'Thank you for staying')
  title: string;

  @AnyText(withValues(5200), "Below it; '': nothing.", 'Your subscription is paused until January 25, 2027.')
  body: string;
}

/** The state of a session: its status and its node. */
export class SessionDto {
  @Id.like('5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b')
  session_id: string;

  @Choice(
    SESSION_STATUSES,
    `${STATUSES_TEXT} Only a session in progress takes steps; one that is contacted takes \`cancel\`, until 24 hours after its start.`,
    'in_progress',
  )
  status: SessionStatus;

  @ApiNodeProperty(SHOWN_NODE_TYPES, {
    description: 'What to render; null once the session has ended or is abandoned.',
    nullable: true,
  })
  node: RuntimeNode | null;

  @WebUrl.orNull(
    'Where to send the customer: one who cancelled to cancel, one who accepted an offer to its `accept_url`; null for others.',
    null,
  )
  redirect_url: string | null;

  @One.orNull(AcceptedOfferDto, 'The offer that was accepted, as it was shown.')
  accepted_offer: AcceptedOfferDto | null;

  @Choice(
    SHOWN_FULFILMENTS,
    'Whether the billing system has carried out what the customer decided: `pending` is not yet, so say "in a moment"; `applied` is ' +
      'done. `none`: this service does nothing there, or a person does it.',
    'none',
  )
  fulfilment: ShownFulfilment;

  @ApiPropertyOptional({
    ...WEB_URL,
    description:
      'With the status `contacted`: where to send a customer who leaves all the same, after the step `cancel`.',
    example: CANCELLATION_URL,
  })
  cancellation_url?: string;

  @ApiPropertyOptional({
    type: ClosingDto,
    description:
      'What to show a customer who has accepted an offer, and, if the flow has `after_cancel: stay`, one who has canceled a ' +
      'subscription that this service ends: the words of the offer or the flow, or else those of the service. They follow ' +
      '`fulfilment`. Absent otherwise. Show it, and go to `redirect_url` when the customer goes on.',
  })
  closing?: ClosingDto;
}

/** A session that a page goes on with. */
export interface ResumedSession extends SessionState {
  workspace: Branded;
}

/** A session for a page that knows only its `session_id`. */
export class ResumedSessionDto extends SessionDto {
  @One(BrandingDto)
  branding: BrandingDto;

  static of(state: ResumedSession): ResumedSessionDto {
    return { ...shownSession(state), branding: BrandingDto.of(state.workspace) };
  }
}

/** The response to a step that doesn't fit the session's node. */
export class StepConflictDto extends ProblemDto {
  @Choice(['step_conflict'], 'The kind of error, for programs.', 'step_conflict')
  declare code: 'step_conflict';

  @One(SessionDto, 'Where the session stands: go on from here.')
  declare session: SessionDto;
}

/** The response to accepting an offer that the customer has accepted as often as its limit allows. */
export class OfferNotAvailableDto extends ProblemDto {
  @Choice(['offer_not_available'], 'The kind of error, for programs.', 'offer_not_available')
  declare code: 'offer_not_available';

  @One(SessionDto, 'Where the session is now: at the node after the offer.')
  declare session: SessionDto;
}

/** The response to a step of a session that is over. */
export class SessionExpiredDto extends ProblemDto {
  @Choice(['session_expired'], 'The kind of error, for programs.', 'session_expired')
  declare code: 'session_expired';

  @WebUrl('Where to send the customer.', CANCELLATION_URL)
  declare cancellation_url: string;
}

const AT_THE_CONFIRM: SessionDto = {
  session_id: '5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b',
  status: 'in_progress',
  node: { key: 'confirm', type: 'confirm', config: { title: 'Cancel your subscription?' } },
  redirect_url: null,
  accepted_offer: null,
  fulfilment: 'none',
};

const EXAMPLES = {
  step_conflict: new Problem('step_conflict', { session: AT_THE_CONFIRM, cancellation_url: CANCELLATION_URL }),
  offer_not_available: new Problem('offer_not_available', {
    session: AT_THE_CONFIRM,
    cancellation_url: CANCELLATION_URL,
  }),
  session_expired: new Problem('session_expired', { cancellation_url: CANCELLATION_URL }),
};

/** Documents the response 409. */
export const ApiStepConflict = () =>
  applyDecorators(
    ApiExtraModels(StepConflictDto, OfferNotAvailableDto, SessionExpiredDto),
    ApiConflictResponse({
      content: {
        'application/problem+json': {
          schema: oneOfBy('code', {
            step_conflict: StepConflictDto,
            offer_not_available: OfferNotAvailableDto,
            session_expired: SessionExpiredDto,
          }),
          examples: Object.fromEntries(
            Object.entries(EXAMPLES).map(([code, problem]) => [code, { value: problem.body(EXAMPLE_REQUEST_ID) }]),
          ),
        },
      },
    }),
  );
