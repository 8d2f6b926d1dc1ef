import { IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { UpdatedDto } from '../../platform/api/changed.dto';
import { Integer } from '../../platform/api/fields/shown';
import { DraftStateDto } from '../../tenancy/versions/versions.dto';
import { FLOW_CONTENT } from '../versions/flow-content-fields';
import { CreateFlowDto } from './change-flow.dto';
import { DEFINITION } from './flow-examples';
import { ApiWarnings, FlowDto, FlowWarningDto } from './flow.dto';

/** A flow as customers will see it once its draft is published. */
export class FlowDraftDto extends IntersectionType(PickType(FlowDto, FLOW_CONTENT), DraftStateDto) {}

/** The fields of a draft to change. */
export class UpdateFlowDraftDto extends PartialType(PickType(CreateFlowDto, FLOW_CONTENT), {
  skipNullProperties: false,
}) {}

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
