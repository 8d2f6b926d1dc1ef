import type { CreateFlow, Flow } from '@retention-flow/client';
import { metadataOf, type MetadataRows, rowsOf } from '../../ui/metadata';

/** A flow as it stands in the form. */
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
  /** The graph of an advanced flow as text; undefined until somebody types. */
  definition: string | undefined;
}

const EMPTY: Draft = {
  name: '',
  product_name: '',
  cancellation_url: '',
  description: '',
  estimated_monthly_value: '',
  notification_email: '',
  metadata: [],
  flow_mode: 'simple',
  offer_ids: [],
  definition: undefined,
};

export function draftOf(flow: Flow | undefined): Draft {
  if (!flow) return EMPTY;
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
    definition: undefined,
  };
}

/** The flow as the service takes it. @param definition the graph; only an advanced flow has one of its own */
export function bodyOf(draft: Draft, definition: unknown): CreateFlow {
  const body = {
    name: draft.name,
    product_name: draft.product_name,
    cancellation_url: draft.cancellation_url,
    description: draft.description || null,
    estimated_monthly_value: draft.estimated_monthly_value === '' ? null : Number(draft.estimated_monthly_value),
    notification_email: draft.notification_email || null,
    metadata: metadataOf(draft.metadata),
    flow_mode: draft.flow_mode,
  };
  if (draft.flow_mode === 'simple') return { ...body, offer_ids: draft.offer_ids };
  return { ...body, definition: definition as CreateFlow['definition'] };
}

/** What of a body differs from what is saved. */
export function changesOf(saved: Partial<CreateFlow>, body: CreateFlow): Partial<CreateFlow> {
  return Object.fromEntries(
    Object.entries(body).filter(([field, value]) => !isSame(value ?? '', saved[field as keyof CreateFlow] ?? '')),
  );
}

/** Fields whose change is a new version. */
const VERSIONED = ['name', 'product_name', 'cancellation_url', 'flow_mode', 'offer_ids', 'definition'];

export function makesVersion(changes: Partial<CreateFlow>): boolean {
  return Object.keys(changes).some((field) => VERSIONED.includes(field));
}

const LABELS: Record<string, string> = {
  name: 'name',
  product_name: 'product',
  cancellation_url: 'cancellation page',
  description: 'note',
  estimated_monthly_value: 'monthly value',
  notification_email: 'notification email',
  metadata: 'metadata',
  flow_mode: 'mode',
  offer_ids: 'offers',
  definition: 'definition',
  status: 'status',
};

/** In words, what differs between a flow as it was read and as it is now. */
export function changedFields(before: Flow, now: Flow): string[] {
  return Object.entries(LABELS).flatMap(([field, label]) =>
    isSame(before[field as keyof Flow], now[field as keyof Flow]) ? [] : [label],
  );
}

/** Whether two values are the same as JSON, in whatever order their names are. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) &&
        isSame((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
    )
  );
}
