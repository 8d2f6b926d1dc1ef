import { OmitType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { ChoiceField, QueryBooleanField, TimestampField } from '../../platform/api/fields/fields';
import { Choice, Count, Id, Many, Text } from '../../platform/api/fields/shown';
import { CursorField, MAX_PAGE, PageInfo, PageQuery } from '../../platform/api/paging/pagination';
import { type FulfilmentAction, STORED_STATES, type StoredState } from '../../billing-jobs/fulfilment.entity';
import { FulfilmentDto } from './fulfilment.dto';

const FULFILMENT_ACTIONS = ['apply', 'cancel', 'keep'] as const satisfies readonly FulfilmentAction[];

export class ListFulfilmentsQuery extends OmitType(PageQuery, ['cursor']) {
  @ChoiceField({ description: 'Only those in this state.', values: STORED_STATES, optional: true })
  state?: StoredState;

  @TimestampField({
    description:
      'Only discounts, pauses and extensions that were applied, and end between now and then: the first to end first.',
    optional: true,
  })
  ending_before?: string;

  @CursorField(({ ending_before }) => ending_before !== undefined)
  cursor?: string;
}

/** A decision of a customer for billing. */
export class FulfilmentItemDto extends FulfilmentDto {
  @Id("The id of the session's record: `GET /sessions/:id` reads it.", '019a9f3c-a1b2-7c3d-9e4f-5a6b7c8d9e0f')
  session_id: string;

  @Text.orNull(200, 'Null if nobody named the customer, or they were erased.', 'cus_4711')
  customer_id: string | null;

  @Choice(
    FULFILMENT_ACTIONS,
    '`apply` the accepted offer, `cancel` the subscription, or `keep` it, if a cancellation of this service is to be taken back.',
    'apply',
  )
  action: FulfilmentAction;
}

export class FulfilmentListDto extends PageInfo {
  @Many(FulfilmentItemDto, MAX_PAGE)
  fulfilments: FulfilmentItemDto[];
}

export class CarryOutDto {
  @ChoiceField({
    description: 'Which decisions: those of the dry run.',
    values: ['dry_run'],
    example: 'dry_run',
  })
  state: 'dry_run';
}

export class CarryOutQuery {
  @QueryBooleanField({
    description: 'true: says what would be carried out, and changes nothing.',
    default: false,
    optional: true,
  })
  dry_run: boolean = false;
}

/** The most decisions that one request carries out. */
export const MAX_CARRIED_OUT = 500;

export class CarriedOutDto {
  @Count('Decisions that this request lets be carried out, or would.', 12)
  carried_out: number;

  @Count('Those of the dry run that are left: repeat the request for them.', 0)
  left: number;

  @Many(
    FulfilmentItemDto,
    MAX_CARRIED_OUT,
    'These decisions as they were before, the oldest session first. `effect` is what the dry run found; what is carried out goes by the ' +
      'subscription as it is by then.',
  )
  items: FulfilmentItemDto[];
}

export const ApiCarryOut = () => ApiExamples(CarryOutDto, { 'what the dry run wrote down': { state: 'dry_run' } });
