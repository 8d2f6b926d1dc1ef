/**
 * The fields of a flow that somebody writes: what customers see, which is in versions and drafts (`content`), and what the team alone
 * has (`team`). Every list of a flow's fields is made of this one. The console uses this file, too, so it imports nothing.
 */
export const FLOW_FIELDS = {
  name: 'content',
  product_name: 'content',
  cancellation_url: 'content',
  flow_mode: 'content',
  offer_ids: 'content',
  survey: 'content',
  locale: 'content',
  definition: 'content',
  cancel_in_billing: 'content',
  description: 'team',
  estimated_monthly_value: 'team',
  notification_email: 'team',
  metadata: 'team',
  exit: 'team',
} as const;

export type FlowField = keyof typeof FLOW_FIELDS;
export type ContentField = {
  [Field in FlowField]: (typeof FLOW_FIELDS)[Field] extends 'content' ? Field : never;
}[FlowField];

export const CONTENT_FIELDS = (Object.keys(FLOW_FIELDS) as FlowField[]).filter(
  (field): field is ContentField => FLOW_FIELDS[field] === 'content',
);
