import type { Received, Reply } from '../../support/receiver';

const MAX_SLACK_BLOCKS = 50;
const MAX_SEGMENT_BYTES = 32 * 1024;

interface SlackText {
  type: string;
  text: string;
  verbatim?: boolean;
}
interface SlackBlock {
  type: string;
  text?: SlackText;
  elements?: SlackText[];
}

/**
 * Answers as an incoming webhook of Slack does: `ok` for a message whose blocks have the shapes and lengths of
 * `@slack/types` 3, and otherwise 400 with a word.
 */
export function slack({ headers, body }: Received): Reply {
  const { text, blocks, ...others } = body as { text: string; blocks: SlackBlock[] };
  if (headers['content-type'] !== 'application/json' || Object.keys(others).length > 0)
    return refused('invalid_payload');
  if (!text) return refused('no_text');
  const isSound = blocks.length <= MAX_SLACK_BLOCKS && blocks.every(isBlock);
  return isSound ? { status: 200, body: 'ok' } : refused('invalid_blocks');
}

function isBlock({ type, text, elements, ...others }: SlackBlock): boolean {
  if (Object.keys(others).length > 0) return false;
  if (type === 'section') return isText(text);
  return type === 'context' && elements!.length >= 1 && elements!.length <= 10 && elements!.every(isText);
}

function isText({ type, text, verbatim, ...others }: SlackText = { type: '', text: '' }): boolean {
  const isSound = type === 'mrkdwn' && text.length >= 1 && text.length <= 3000 && typeof verbatim === 'boolean';
  // Nothing else in angle brackets is there by chance: it would mention somebody, or be a link of a customer's.
  const written = text.replaceAll(/<https:\/\/flows\.acme\.example\/[\w/#-]+\|[\w ]+>/g, '');
  return isSound && Object.keys(others).length === 0 && !/<|&(?!amp;|lt;|gt;)/.test(written);
}

/**
 * Answers as the HTTP API of Segment does: 200 also to a wrong write key, whose events only its debugger shows, and 400
 * to no JSON and too much of it. It fails where Segment would drop the event.
 */
export function segment(writeKey: string): (received: Received) => Reply {
  return ({ path, headers, text, body }) => {
    expect(headers.authorization).toBe(`Basic ${btoa(`${writeKey}:`)}`);
    if (path !== '/v1/track' || Buffer.byteLength(text) > MAX_SEGMENT_BYTES) return refused('bad request');
    const { type, event, userId, anonymousId, messageId, timestamp, properties } = body as Record<string, unknown>;
    const isText = (value: unknown) => typeof value === 'string' && value !== '';
    const isSound =
      type === 'track' &&
      [event, userId ?? anonymousId, messageId].every(isText) &&
      !Number.isNaN(Date.parse(String(timestamp))) &&
      typeof properties === 'object';
    return isSound ? { status: 200, body: '{"success":true}' } : refused('bad request');
  };
}

const refused = (body: string): Reply => ({ status: 400, body });
