import type { FlowContent } from './flow-version.entity';

/** What a new flow has to say of itself. */
const REQUIRED = ['name', 'product_name', 'cancellation_url'] as const;

/** The fields that a new flow has unless it is created with others. Its graph is made of them. */
export const NEW_CONTENT = {
  flow_mode: 'simple',
  offer_ids: [],
  survey: null,
  locale: 'en',
  cancel_in_billing: false,
  after_cancel: 'go',
  canceled_title: '',
  canceled_body: '',
  translations: {},
} satisfies Omit<FlowContent, (typeof REQUIRED)[number] | 'definition'>;

/** The names of the fields of `FlowContent`. */
export const FLOW_CONTENT = [...REQUIRED, ...Object.keys(NEW_CONTENT), 'definition'] as (keyof FlowContent)[];
