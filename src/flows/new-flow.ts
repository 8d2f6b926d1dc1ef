import { contentOf } from './flow-content';
import { createSlug } from './slug';
import type { CreateFlowDto, UpdateFlowDto } from './dto/change-flow.dto';
import type { FlowContent } from './flow-version.entity';
import type { Flow, FlowStatus } from './flow.entity';

/** A flow that is about to be created. */
export interface NewFlow {
  fields: Partial<Flow> & Pick<Flow, 'id' | 'slug' | 'status'>;
  content: FlowContent;
}

/** The fields of a request, divided into those that customers see and the others. */
export function partsOf(sent: UpdateFlowDto) {
  const { key, status, description, estimated_monthly_value, notification_email, metadata, exit, ...changes } = sent;
  const fields = { key, status, description, estimated_monthly_value, notification_email, metadata, exit };
  return { fields, changes };
}

/** The flow that a request asks for. Throws a 400 with a pointer to each fault of its content. */
export function newFlow({ id, slug, ...sent }: CreateFlowDto & { id: string; status?: FlowStatus }): NewFlow {
  const { fields, changes } = partsOf(sent);
  const { status = 'draft', metadata = {}, ...others } = fields;
  const { name, product_name, cancellation_url } = sent;
  const required = { name, product_name, cancellation_url };
  const content = contentOf(
    { flow_mode: 'simple', offer_ids: [], survey: null, locale: 'en', ...changes, ...required },
    changes,
  );
  return { fields: { ...others, id, slug: slug ?? createSlug(name), status, metadata }, content };
}
