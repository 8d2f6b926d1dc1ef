import type { CreateFlow, Flow, FlowDefinition } from '@retention-flow/client';
import { canonicalTag } from '../../../../src/platform/common/languages';
import { FLOW_FIELDS, type FlowField } from '../../../../src/flows/flow-fields';
import { composeDefinition } from '../../../../src/flows/simple-definition';
import { metadataOf, type MetadataRows, rowsOf } from '../../ui/metadata';
import type { Content } from '../differences';
import { isSame } from '../same';
import { graphOf } from './model/shape';

/** The values of the form. */
export interface Draft {
  name: string;
  product_name: string;
  cancellation_url: string;
  description: string;
  estimated_monthly_value: string;
  notification_email: string;
  metadata: MetadataRows;
  flow_mode: Flow['flow_mode'];
  offer_ids: string[];
  survey: Flow['survey'];
  locale: string;
  /** The graph of an advanced flow, or whatever JSON somebody wrote in its place. */
  definition: unknown;
  cancel_in_billing: boolean;
}

export function draftOf(flow: Flow): Draft {
  return {
    name: flow.name,
    product_name: flow.product_name,
    cancellation_url: flow.cancellation_url,
    description: flow.description ?? '',
    estimated_monthly_value: String(flow.estimated_monthly_value ?? ''),
    notification_email: flow.notification_email ?? '',
    metadata: rowsOf(flow.metadata),
    flow_mode: flow.flow_mode,
    offer_ids: flow.offer_ids,
    survey: flow.survey,
    locale: flow.locale,
    definition: flow.flow_mode === 'advanced' ? flow.definition : undefined,
    cancel_in_billing: flow.cancel_in_billing,
  };
}

/** The flow as the service takes it. */
export function bodyOf(draft: Draft): CreateFlow {
  const body = {
    name: draft.name,
    product_name: draft.product_name,
    cancellation_url: draft.cancellation_url,
    description: draft.description || null,
    estimated_monthly_value: draft.estimated_monthly_value === '' ? null : Number(draft.estimated_monthly_value),
    notification_email: draft.notification_email || null,
    metadata: metadataOf(draft.metadata),
    flow_mode: draft.flow_mode,
    cancel_in_billing: draft.cancel_in_billing,
    locale: draft.locale,
  };
  if (draft.flow_mode === 'simple') return { ...body, offer_ids: draft.offer_ids, survey: draft.survey };
  return { ...body, definition: draft.definition as CreateFlow['definition'] };
}

/** What of a body differs from what is saved. */
export function changesOf(saved: Partial<Omit<CreateFlow, 'key'>>, body: CreateFlow): Partial<CreateFlow> {
  return Object.fromEntries(
    Object.entries(body).filter(([field, value]) => !isSame(value ?? '', saved[field as keyof typeof saved] ?? '')),
  );
}

/** The changes that customers see once they are live, and the others. */
export function split(changes: Partial<CreateFlow>): [content: Partial<CreateFlow>, others: Partial<CreateFlow>] {
  const entries = Object.entries(changes);
  const isContent = (field: string) => FLOW_FIELDS[field as FlowField] === 'content';
  return [
    Object.fromEntries(entries.filter(([field]) => isContent(field))),
    Object.fromEntries(entries.filter(([field]) => !isContent(field))),
  ];
}

/** What somebody else saved, with one's own changes to what both began with. */
export function merged(before: Draft, mine: Draft, theirs: Draft): Draft {
  const own = Object.entries(mine).filter(([field, value]) => !isSame(value, before[field as keyof Draft]));
  return { ...theirs, ...Object.fromEntries(own) };
}

/** The graph that the service makes of a simple flow. */
export function composed({ offer_ids, survey, locale }: Draft): FlowDefinition {
  return composeDefinition(offer_ids, survey, canonicalTag(locale));
}

/** Everything that it says, to be compared. */
export function contentOf(draft: Draft): Content {
  const graph = draft.flow_mode === 'simple' ? composed(draft) : graphOf(draft.definition);
  return { ...bodyOf(draft), definition: graph ?? { entry: '', nodes: [] } };
}
