import { ApiProperty } from '@nestjs/swagger';
import type { Json } from '../../platform/common/json';
import { AnyText, Choice, Id, Integer, Key, Many, One, Time } from '../../platform/api/fields/shown';
import { jsonOf, KEY } from '../../platform/api/fields/schemas';
import { MAX_NODES, MAX_RESULT, SHOWN_NODE_TYPES } from '../../flows/graph/graph-limits';
import { MAX_OPTIONS } from '../../conditions/condition-limits';
import { OfferRecordDto } from '../../offers/dto/offer-content.dto';
import { recordOf } from '../../offers/shown-offer';
import { WITHHELD_REASONS, type WithheldReason } from '../../sessions/eligibility';
import type { SessionStep } from '../../sessions/session-step.entity';
import { RECORDED_ACTIONS } from '../../sessions/session-step.entity';

/** What the reasons mean, for the documents. */
export const WITHHELD =
  '`limit`: the customer has accepted it as often as its limit allows. `offer_limit`: they have accepted as many offers as the workspace allows. `archived`: it is archived. `not_now`, `conditions`: its own `available` or `when` keeps it from them. The others are of the subscription in ' +
  'the billing system. `discounted_already`: it has this discount, or one that was accepted here still runs. `currency`: it is in another one. `interval`: it is paid at other ' +
  'times. `schedule`: a schedule manages it. `unpaid`: a payment has failed. `paused`: it is paused. `coupon`: the coupon is unknown or ' +
  'can no longer be redeemed. `price`: it has this price, or the price is unknown or archived. `items`: its items are paid on different ' +
  'days. `usage`: it is paid by usage. `nothing`: the offer would change nothing. `unread`: the billing system did not say in time ' +
  'whether it has the coupon or the price of the offer.';

export class WithheldOfferDto {
  @Id.like('019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b')
  offer_id: string;

  @Choice(WITHHELD_REASONS, WITHHELD, 'interval')
  reason: WithheldReason;
}

export class TakenStepDto {
  @Key.like('reason')
  node_key: string;

  @Choice.like(SHOWN_NODE_TYPES, 'survey')
  node_type: SessionStep['node_type'];

  @Choice(RECORDED_ACTIONS, '`refused`: the customer accepted an offer as often as its limit allows before.', 'answer')
  action: SessionStep['action'];

  @Key.orNull('The option that was answered; of several, the one that the comment answers.', 'too_expensive')
  option: string | null;

  @ApiProperty({
    type: 'array',
    items: KEY,
    maxItems: MAX_OPTIONS,
    nullable: true,
    example: null,
    description:
      'All options that were answered, in the order of a survey that takes several; null at one that takes one.',
  })
  options: string[] | null;

  @AnyText.orNull(5000, undefined, 'Twice the price of last year.')
  comment: string | null;

  @Integer.orNull(1, 'For how many months the customer chose to pause; null if there was nothing to choose.', null)
  months: number | null;

  @ApiProperty({
    ...jsonOf(MAX_RESULT),
    example: null,
    description:
      "What the site's own component gave, at a node of type `custom`; null if it gave nothing, and once the customer was erased.",
  })
  result: Json | null;

  @One.orNull(OfferRecordDto, 'The offer that was presented, as it was shown; null at other nodes.')
  offer: OfferRecordDto | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: KEY,
    nullable: true,
    example: { who: '0', discount_or_pause: 'pause' },
    description:
      'The ways that branches and splits sent the customer between this node and the next, by the key of the branch or split. ' +
      'The way of a split is its name; the way of a branch is its index from 0, or `next`. null if there was neither.',
  })
  ways: Record<string, string> | null;

  @Many.orNull(
    WithheldOfferDto,
    MAX_NODES,
    'The offers that were passed over before the next node, or refused at this one. null if there were none.',
    null,
  )
  withheld: WithheldOfferDto[] | null;

  @Time.like('2026-11-21T09:31:00.000Z')
  at: Date;

  static of(step: SessionStep): TakenStepDto {
    const { node_key, node_type, action, option, options, comment, months, result, offer, ways } = step;
    const withheld = step.withheld?.map((id) => ({ offer_id: id, reason: step.withheld_reasons?.[id] ?? 'limit' }));
    return {
      node_key,
      node_type,
      action,
      option,
      options,
      comment,
      months,
      result,
      offer: offer && recordOf(offer),
      ways,
      withheld: withheld ?? null,
      at: step.created_at,
    };
  }
}
