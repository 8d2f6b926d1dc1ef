import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, KeyField, TextField } from '../../common/fields';
import { OFFER_TYPES, type OfferType } from '../../offers/offer.entity';
import type { FlowVersion } from '../../flows/flow-version.entity';
import { nodeOf } from '../../flows/flow-definition';
import type { Standing, Step, StepAction } from '../next-step';
import { STEP_ACTIONS } from '../next-step';
import { type AcceptedOffer, present, type PresentedOffer, withoutButtons } from '../presented-offer';
import { SESSION_STATUSES, type SessionStatus } from '../session-status';
import { RuntimeNodeDto } from './init-session.dto';

export class StepDto implements Step {
  @KeyField({
    description: 'The node that the step is taken at. Only `keep` and `cancel` do without.',
    example: 'start',
    optional: true,
  })
  node_key?: string;

  @ChoiceField({
    description:
      '`continue` at a start, `answer` at a survey, `accept` or `decline` at an offer, `confirm` at a confirm; ' +
      '`keep` (the subscription) and `cancel` at every node.',
    values: STEP_ACTIONS,
    example: 'continue',
  })
  action: StepAction;

  @KeyField({ description: 'With `answer`: the value of the option that was chosen.', optional: true })
  option?: string;

  @TextField({
    description: 'With `answer`, where the survey takes a comment: what the customer wrote.',
    max: 5000,
    blank: true,
    optional: true,
  })
  comment?: string;
}

export class AcceptedOfferDto implements AcceptedOffer {
  @ApiProperty({ format: 'uuid', example: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b' })
  id: string;

  @ApiProperty({ example: '30 % off for three months' })
  name: string;

  @ApiProperty({ enum: OFFER_TYPES, example: 'discount_percentage' })
  offer_type: OfferType;

  @ApiProperty({ example: '30%' })
  offer_value: string;

  @ApiProperty({ example: '3 months' })
  offer_duration: string;

  @ApiProperty({ example: 'Stay for 30 % less' })
  heading: string;

  @ApiProperty({ example: 'Keep everything you have, for 30 % less over the next three months.' })
  body: string;
}

/** Where a session stands. */
export class SessionDto {
  @ApiProperty({ format: 'uuid', example: '5f0c7d0e-3c64-4c3b-9a55-2f7a1f0f9f5b' })
  session_id: string;

  @ApiProperty({
    enum: SESSION_STATUSES,
    example: 'in_progress',
    description: '`abandoned` is a session in progress without a step for 24 hours; a step revives it.',
  })
  status: SessionStatus;

  @ApiProperty({
    type: RuntimeNodeDto,
    nullable: true,
    description: 'What to render; null at the end. An offer has as its `config` what is presented.',
  })
  node: RuntimeNodeDto | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: null,
    description: 'Where to send the customer who cancelled.',
  })
  redirect_url: string | null;

  @ApiProperty({ type: AcceptedOfferDto, nullable: true, description: 'The offer that was accepted, as it was shown.' })
  accepted_offer: AcceptedOfferDto | null;

  static of(
    session_id: string,
    { node_key, presented_offer, accepted_offer, ...standing }: Standing<PresentedOffer>,
    { definition, cancellation_url }: FlowVersion,
    status: SessionStatus = standing.status,
  ): SessionDto {
    const { key, type, config } = nodeOf(definition, node_key);
    const ended = standing.status !== 'in_progress';
    return {
      session_id,
      status,
      node: ended ? null : { key, type, config: presented_offer ? present(presented_offer) : config },
      redirect_url: standing.status === 'canceled' ? cancellation_url : null,
      accepted_offer: accepted_offer && withoutButtons(accepted_offer),
    };
  }
}
