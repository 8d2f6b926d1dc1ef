import { type ContentChanges, contentOf } from './flow-content';
import type { CreateFlowDto, UpdateFlowDto } from './dto/change-flow.dto';
import { FLOW_CONTENT, NEW_CONTENT } from './versions/flow-content-fields';
import type { FlowContent } from './versions/flow-version.entity';
import type { Flow, FlowStatus } from './flow.entity';

/** A flow that is about to be created. */
export interface NewFlow {
  /** Without a slug, one is made of the name: see `FlowChanges.createAll`. */
  fields: Partial<Flow> & Pick<Flow, 'id' | 'status'>;
  content: FlowContent;
}

type TeamFields = Omit<UpdateFlowDto, keyof FlowContent>;

/** The fields of a request, divided into those that versions have and the others. */
export function partsOf(sent: UpdateFlowDto) {
  const entries = Object.entries(sent);
  const isContent = (field: string) => FLOW_CONTENT.includes(field as keyof FlowContent);
  const changes: ContentChanges = Object.fromEntries(entries.filter(([field]) => isContent(field)));
  const fields: TeamFields = Object.fromEntries(entries.filter(([field]) => !isContent(field)));
  return { fields, changes };
}

/** The flow that a request asks for. Throws a 400 with a pointer to each fault of its content. */
export function newFlow({
  id,
  slug,
  ...sent
}: Omit<CreateFlowDto, 'status'> & { id: string; status?: FlowStatus }): NewFlow {
  const { fields, changes } = partsOf(sent);
  const { status = 'draft', metadata = {}, ...others } = fields;
  const { name, product_name, cancellation_url } = sent;
  const required = { name, product_name, cancellation_url };
  const content = contentOf({ ...NEW_CONTENT, ...required }, changes);
  return { fields: { ...others, id, slug, status, metadata }, content };
}
