import { PartialType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/api-examples';
import { UpdatedDto } from '../../platform/api/changed.dto';
import { TextField } from '../../platform/api/fields';
import { FieldErrorDto } from '../../platform/api/problem.dto';
import { MAX_FIELD_ERRORS } from '../../platform/api/problem';
import { Integer, Many, One, Time } from '../../platform/api/shown';
import { Actor } from '../../tenancy/actor';
import { FLOW_CONTENT } from '../flow-version.entity';
import { CreateFlowDto } from './change-flow.dto';
import { DEFINITION } from './flow-examples';
import { ApiWarnings, FlowDto, FlowWarningDto } from './flow.dto';

/** A flow as customers will see it once its draft is published. */
export class FlowDraftDto extends PickType(FlowDto, FLOW_CONTENT) {
  @Integer(1, 'The version that was live when the draft was begun.', 1)
  based_on_version: number;

  @Integer(
    1,
    'The version that is live now. If it is another, publishing takes `If-Match`, or is 409 `version_changed`.',
    1,
  )
  current_version: number;

  @One(Actor, 'Who changed the draft last.')
  updated_by: Actor;

  @Time.like('2026-11-21T09:30:00.000Z')
  updated_at: Date;

  @Many(FieldErrorDto, MAX_FIELD_ERRORS, 'Why it cannot be published yet, each with a JSON Pointer into the draft.', [])
  faults: FieldErrorDto[];
}

/** The fields of a draft to change. */
export class UpdateFlowDraftDto extends PartialType(PickType(CreateFlowDto, FLOW_CONTENT), {
  skipNullProperties: false,
}) {}

export class PublishDto {
  @TextField({
    description: 'What is new and why, for your team. It is kept with the version.',
    example: 'Half price for 3 months instead of 2.',
    max: 1000,
    optional: true,
  })
  note?: string;
}

export class PublishedDto extends UpdatedDto {
  @Integer(1, 'The version that is live now. It is no new one if customers would see no difference.', 2)
  version: number;

  @ApiWarnings()
  warnings?: FlowWarningDto[];
}

export const ApiDraftChanges = () =>
  ApiExamples(UpdateFlowDraftDto, {
    rename: { name: 'Leaving Acme Pro, monthly' },
    'send a graph': { flow_mode: 'advanced', definition: DEFINITION },
  });

export const ApiPublishing = () =>
  ApiExamples(PublishDto, {
    'with a note': { note: 'Half price for 3 months instead of 2.' },
    'without one': {},
  });
