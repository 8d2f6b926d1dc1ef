import { type FieldError, Problem } from '../../platform/api/problems/problem';
import type { Webhook, WebhookFormat } from './webhook.entity';
import { type Addressed, segmentCallOf } from './segment-call';
import { hidesPath, shownUrlOf } from './shown-url';
import { slackMessageOf } from './slack-message';

/** Where a webhook sends to, and what the other side needs to take it. */
export type Address = Pick<Webhook, 'format' | 'url' | 'write_key'>;

/** How events are written for those who read them, and what these take. */
interface Format {
  /** What is sent, as JSON. */
  bodyOf(addressed: Addressed): object;
  /** Headers besides those of Standard Webhooks. */
  headersOf?(write_key: string): Record<string, string>;
  /** Seconds from one event to the next; without it, as many go at once as there is room for. */
  pace?: number;
}

export const FORMATS: Record<WebhookFormat, Format> = {
  standard: { bodyOf: ({ body }) => body },
  slack: {
    bodyOf: ({ body, publicUrl }) => slackMessageOf(body, publicUrl),
    // Slack takes one a second (https://docs.slack.dev/apis/web-api/rate-limits). Requests take different times, so a
    // tenth more.
    pace: 1.1,
  },
  segment: {
    bodyOf: segmentCallOf,
    headersOf: (write_key) => ({ authorization: `Basic ${basicOf(write_key)}` }),
  },
};

/** A format that signs in has a write key. It is the name of a user without a password (RFC 7617). */
const basicOf = (write_key: string): string => Buffer.from(`${write_key}:`).toString('base64');

/** The headers that a format needs. */
export function headersOf({ format, write_key }: Pick<Address, 'format' | 'write_key'>): Record<string, string> {
  return write_key === null ? {} : FORMATS[format].headersOf!(write_key);
}

/** Shorter parts of a URL are words, such as `v1`. */
const SHORTEST_SECRET = 6;

/**
 * What a receiver answered, as whoever may list deliveries may read it: receivers repeat what they were sent. The write
 * key, and a path that is a secret, are left out, also where the answer was cut in the middle of one.
 */
export function withoutSecrets(text: string, { format, url, write_key }: Address): string {
  const path = hidesPath(format) ? new URL(url).pathname : '/';
  const parts = [path, ...path.split('/')].filter((part) => part.length >= SHORTEST_SECRET);
  const keys = write_key === null ? [] : [write_key, basicOf(write_key)];
  const secrets = [...parts, ...keys].flatMap((secret) => [
    secret,
    secret.replaceAll('/', String.raw`\/`),
    encodeURIComponent(secret),
  ]);
  let shown = text;
  for (const secret of secrets) shown = shown.replaceAll(secret, '…');
  for (const secret of secrets) {
    const beginning = Array.from({ length: secret.length - 1 }, (_, cut) => secret.slice(0, -cut - 1));
    const end = beginning.find((part) => part.length >= SHORTEST_SECRET && shown.endsWith(part));
    if (end) shown = `${shown.slice(0, -end.length)}…`;
  }
  return shown;
}

/**
 * The address of a webhook after changes. A URL as it is shown means the one that is stored. A secret goes nowhere that
 * it was not given for: a write key ends with its format and its host, and a secret path with its format. Throws a 400
 * if that URL is not given again.
 */
export function addressAfter(
  webhook: Address,
  changes: { format?: WebhookFormat; url?: string; write_key?: string },
): Address {
  const format = changes.format ?? webhook.format;
  const isShown = changes.url === undefined || changes.url === shownUrlOf(webhook);
  if (isShown && hidesPath(webhook.format) && format !== webhook.format)
    throw Problem.invalid([{ pointer: '/url', message: 'must be given again: that of Slack ends with its format' }]);
  const url = isShown ? webhook.url : changes.url!;
  const keepsKey = format === webhook.format && new URL(url).origin === new URL(webhook.url).origin;
  return { format, url, write_key: changes.write_key ?? (keepsKey ? webhook.write_key : null) };
}

/** Why a format can't be sent to an address. */
export function addressFaults({ format, url, write_key }: Address): FieldError[] {
  const isWhole = !hidesPath(format) || new URL(url).pathname !== '/';
  const needsKey = FORMATS[format].headersOf !== undefined;
  return [
    ...(isWhole ? [] : [{ pointer: '/url', message: 'must be the whole URL that Slack gives' }]),
    ...(needsKey && write_key === null
      ? [
          {
            pointer: '/write_key',
            message: 'must be given with the format segment and with each new host, by POST or PUT /webhooks',
          },
        ]
      : []),
    ...(!needsKey && write_key !== null
      ? [{ pointer: '/write_key', message: 'is taken with the format segment only' }]
      : []),
  ];
}
