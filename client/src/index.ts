export { RetentionFlow } from './client.ts';
export { type CallOptions, type ChangeOptions, type ClientOptions, type CreateOptions, etagOf } from './connection.ts';
export { type CustomerClaims, type CustomerSecret, signCustomerToken } from './customer-token.ts';
export { ApiError, ConnectionError } from './errors.ts';
export type { List } from './list.ts';
export type * from './types.ts';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './webhooks.ts';
