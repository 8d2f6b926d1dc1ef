import { applyDecorators } from '@nestjs/common';
import { ApiConflictResponse, ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Problem } from '../../common/problem';
import { EXAMPLE_REQUEST_ID, ProblemDto } from '../../common/problem.dto';
import { ID, WEB_URL } from '../../common/schemas';
import type { FlowVersion } from '../../flows/flow-version.entity';
import { SHOWN_NODE_TYPES, shownNodeOf } from '../../flows/flow-definition';
import type { Standing } from './next-step';
import { accept, type ShownOffer } from '../../offers/offer-content';
import { SESSION_STATUSES, type SessionStatus } from '../session-status';
import { AcceptedOfferDto } from '../../offers/dto/offer-content.dto';
import { ApiNodeProperty, type RuntimeNode, shown } from '../node.dto';

/** A session as its customer sees it. */
export interface SessionState {
  session_id: string;
  /** As it is now: `abandoned` counts. */
  status: SessionStatus;
  standing: Standing<ShownOffer>;
  version: FlowVersion;
}

/** Where a session stands. */
export class SessionDto {
  @ApiProperty({ ...ID, example: '5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b' })
  session_id: string;

  @ApiProperty({
    enum: SESSION_STATUSES,
    example: 'in_progress',
    description: '`abandoned`: in progress, but without a step for 24 hours; a step revives it.',
  })
  status: SessionStatus;

  @ApiNodeProperty(SHOWN_NODE_TYPES, {
    description: 'What to render; null at the end.',
    nullable: true,
  })
  node: RuntimeNode | null;

  @ApiProperty({
    ...WEB_URL,
    nullable: true,
    example: null,
    description: 'Where to send a customer who cancelled; null for others.',
  })
  redirect_url: string | null;

  @ApiProperty({ type: AcceptedOfferDto, nullable: true, description: 'The offer that was accepted, as it was shown.' })
  accepted_offer: AcceptedOfferDto | null;

  static of({ session_id, status, standing, version }: SessionState): SessionDto {
    const { node_key, presented_offer, accepted_offer } = standing;
    return {
      session_id,
      status,
      node:
        standing.status === 'in_progress' ? shown(shownNodeOf(version.definition, node_key), presented_offer) : null,
      redirect_url: standing.status === 'canceled' ? version.cancellation_url : null,
      accepted_offer: accepted_offer && accept(accepted_offer),
    };
  }
}

/** The response to a step that doesn't fit where the session stands. */
export class StepConflictDto extends ProblemDto {
  @ApiProperty({ enum: ['step_conflict'], example: 'step_conflict', description: 'The kind of error, for programs.' })
  declare code: 'step_conflict';

  @ApiProperty({ type: SessionDto, description: 'Where the session stands: go on from here.' })
  declare session: SessionDto;
}

const CONFLICT = new Problem('step_conflict', {
  session: {
    session_id: '5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b',
    status: 'in_progress',
    node: { key: 'confirm', type: 'confirm', config: { title: 'Cancel your subscription?' } },
    redirect_url: null,
    accepted_offer: null,
  } satisfies SessionDto,
  cancellation_url: 'https://acme.example/account/cancel',
});

/** Documents the response 409. */
export const ApiStepConflict = () =>
  applyDecorators(
    ApiExtraModels(StepConflictDto),
    ApiConflictResponse({
      content: {
        'application/problem+json': {
          schema: { $ref: getSchemaPath(StepConflictDto) },
          examples: { step_conflict: { value: CONFLICT.body(EXAMPLE_REQUEST_ID) } },
        },
      },
    }),
  );
