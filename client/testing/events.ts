import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import samples from 'samples-of-events';
import type { WebhookEvent } from '../src/index.ts';

/** A part of an event: what it leaves out is as in the sample. */
export type PartOf<T> = T extends object
  ? T extends readonly unknown[]
    ? T
    : { [Name in keyof T]?: PartOf<T[Name]> }
  : T;

type EventOf<Type extends WebhookEvent['type']> = Extract<WebhookEvent, { type: Type }>;

/** A request that your webhook could get. */
export interface SignedEvent {
  /** As it is sent, before any parsing. */
  body: string;
  headers: Record<string, string>;
  /** What it is signed with: `whsec_…`. */
  secret: string;
}

/**
 * An event of now, signed as the service signs it. It is no test, so your handler takes it as it takes real ones.
 *
 * @param overrides what differs from the sample in the documentation; objects are merged, lists replaced
 * @param secret of the webhook: `whsec_…`; without it, a new one
 */
export function signedEvent<Type extends WebhookEvent['type']>(
  type: Type,
  overrides?: PartOf<Omit<EventOf<Type>, 'type'>>,
  secret = `whsec_${randomBytes(24).toString('base64')}`,
): SignedEvent {
  const sample = samples[type];
  if (!sample) throw new Error(`There is no event of the type "${type}", only ${Object.keys(samples).join(', ')}`);
  const now = new Date();
  const body = JSON.stringify(merged({ ...sample, timestamp: now.toISOString() }, overrides));
  const id = randomUUID();
  const time = String(Math.floor(now.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${signature}`,
  };
  return { body, headers, secret };
}

function merged(sample: unknown, overrides: unknown): unknown {
  if (overrides === undefined) return sample;
  if (!isObject(sample) || !isObject(overrides)) return overrides;
  const all = { ...sample };
  for (const [name, value] of Object.entries(overrides)) all[name] = merged(sample[name], value);
  return all;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
