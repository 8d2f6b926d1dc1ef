import { ApiExamples } from '../../platform/api/fields/api-examples';
import { ChoiceField } from '../../platform/api/fields/fields';
import { AnyText, Choice, Currency, Integer, One, Time, WebUrl } from '../../platform/api/fields/shown';
import { type Carrier, CARRIERS } from '../../billing-jobs/carried-out-by';
import { type Effect, EFFECT_KINDS } from '../../sessions/effect';
import { STORED_STATES, type StoredState } from '../../billing-jobs/fulfilment.entity';

export const FULFILMENT_STATES = ['none', ...STORED_STATES] as const;

/** Values that a list of sessions can be filtered by. */
export const FULFILMENT_FILTERS = [...STORED_STATES, 'attention'] as const;
export type FulfilmentFilter = (typeof FULFILMENT_FILTERS)[number];

/** The states that a filter means. */
export const statesOf = (filter: FulfilmentFilter): StoredState[] =>
  filter === 'attention' ? ['manual', 'failed'] : [filter];

export class EffectOfDecisionDto implements Effect {
  @Choice(
    EFFECT_KINDS,
    'What changes: `discount`, `pause`, `extension` and `plan_change` as the offer says. `end`: the subscription ends. `stay`: an end that this ' +
      'service had set is taken back.',
    'discount',
  )
  kind: Effect['kind'];

  @Time.orNull(
    'The payment that changes first. Null: the price changes at once, or no payment does.',
    '2026-12-08T09:30:00.000Z',
  )
  from: string | null;

  @Time.orNull(
    'The first payment that is as before; with `end`, when the subscription ends. Null: it has no end.',
    '2027-03-08T09:30:00.000Z',
  )
  until: string | null;

  @Currency.like('EUR')
  currency: string;

  @Integer.orNull(
    0,
    'What a period costs before, in the smallest unit of the currency, without taxes that come on top. Null: it can’t be said.',
    2900,
  )
  price_now: number | null;

  @Integer.orNull(0, 'What it costs then: 0 while payments pause. Null: it can’t be said.', 2030)
  price_then: number | null;
}

/** The state of an accepted offer, or of a cancellation, in the billing system. */
export class FulfilmentDto {
  @Choice(
    FULFILMENT_STATES,
    '`none`: the billing system has nothing to do. `pending`: it is being done, or tried again. `applied`: done. `dry_run`: written ' +
      'down in `detail`, and not sent. `manual`: a person has to do it. `failed`: the billing system refused it.',
    'applied',
  )
  state: 'none' | StoredState;

  @Choice.orNull(
    CARRIERS,
    'Who carries out what the customer decided, as it was known when they did; it stays. `service`: this service. `person`: the token ' +
      'did not name the subscription, or this service can’t do it; the team is told. `nobody`: nothing was to be done in the billing system, ' +
      'there was no connection to one, or a dry run. Null while nothing is decided, and for jobs of before version 0.10.',
    'service',
  )
  carried_out_by: Carrier | null;

  @Time.orNull('Since when.', '2026-11-21T09:31:02.000Z')
  at: Date | null;

  @One.orNull(
    EffectOfDecisionDto,
    'What it does to the subscription, or would do in a dry run. Null where nothing is changed, and as long as the subscription was not read. ' +
      'With `manual`: the change was made, and something else came of it, which `detail` says.',
  )
  effect: Effect | null;

  @AnyText.orNull(5000, 'Why, and what to do, for a person. In a dry run, the request that would be sent.', null)
  detail: string | null;

  @WebUrl.orNull(
    'The subscription at the provider, for a person; null if it is not known.',
    'https://dashboard.stripe.com/subscriptions/sub_1Q2w3E',
  )
  url: string | null;
}

/** The fulfilment of a session whose customer has decided nothing yet. */
export const NO_FULFILMENT: FulfilmentDto = {
  state: 'none',
  carried_out_by: null,
  at: null,
  effect: null,
  detail: null,
  url: null,
};

export const PERSON_ACTIONS = ['retry', 'done'] as const;

export class ChangeFulfilmentDto {
  @ChoiceField({
    description:
      '`retry`: try it again from the beginning, in the mode that the connection has now. `done`: a person has done it. Neither is for one that is `pending` or `applied`.',
    values: PERSON_ACTIONS,
    example: 'retry',
  })
  action: (typeof PERSON_ACTIONS)[number];
}

export const ApiFulfilmentAction = () =>
  ApiExamples(ChangeFulfilmentDto, { 'try again': { action: 'retry' }, 'done by hand': { action: 'done' } });
