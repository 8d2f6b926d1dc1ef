/** The actions in the log of changes, as `subject.what was done`. */
export const ACTIONS = [
  'workspace.created',
  'workspace.changed',
  'api_key.created',
  'api_key.revoked',
  'api_key.signed_in',
  'customer_key.created',
  'customer_key.deleted',
  'invitation.created',
  'invitation.deleted',
  'person.joined',
  'person.role_changed',
  'person.removed',
  'person.signed_in',
  'person.password_link_created',
  'person.password_changed',
  'offer.created',
  'offer.changed',
  'offer.archived',
  'flow.created',
  'flow.changed',
  'flow.published',
  'flow.archived',
  'draft.saved',
  'draft.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.secret_rotated',
  'billing.connected',
  'billing.changed',
  'billing.disconnected',
  'fulfilment.retried',
  'fulfilment.done',
  'customer.erased',
  'declaration.erased',
] as const;

export type Action = (typeof ACTIONS)[number];

/** The first word of an action. A draft is one of its flow, so its subject is the flow. */
export const SUBJECT_TYPES = [
  'workspace',
  'api_key',
  'customer_key',
  'invitation',
  'person',
  'offer',
  'flow',
  'webhook',
  'billing',
  'fulfilment',
  'customer',
  'declaration',
] as const;

export type SubjectType = (typeof SUBJECT_TYPES)[number];
