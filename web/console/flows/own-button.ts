import type { RetentionFlow } from '@retention-flow/client';

type Query = NonNullable<Parameters<RetentionFlow['flows']['review']>[1]>;
/** What the review is told of a page. */
export type OwnButton = Pick<Query, 'button' | 'cancel_label'>;

/** The most characters of a label that the review takes. */
const MAX_LABEL = 200;

/**
 * An opening tag that can be a button, and its attributes. The page may not parse HTML: its content security policy
 * forbids it.
 */
const TAG = /<(a|form|retention-flow)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g;

/**
 * Reads the cancel button of a page: the link or element that opens a flow, or else the first link or form.
 *
 * @param html as it is on the page, with or without what is around it
 * @param slug of the flow
 * @returns undefined if there is no button in it
 */
export function ownButtonIn(html: string, slug: string): OwnButton | undefined {
  const tags = [...html.matchAll(TAG)].map(([, name, attributes]) => ({
    opensFlow: name.toLowerCase() === 'retention-flow' || /\bdata-retention-flow\b/i.test(attributes),
    attributes: attributesIn(attributes),
  }));
  const button = tags.find(({ opensFlow }) => opensFlow) ?? tags[0];
  if (!button) return undefined;
  const { opensFlow, attributes } = button;
  const label = (attributes.get('data-message-cancel') ?? attributes.get('message-cancel'))?.trim().slice(0, MAX_LABEL);
  const [path] = (attributes.get('href') ?? attributes.get('action') ?? '').split(/[?#]/);
  const target = path.endsWith(`/exit/${slug}`) ? 'exit_page' : 'elsewhere';
  return { button: opensFlow ? 'flow' : target, ...(label && { cancel_label: label }) };
}

function attributesIn(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name, ...values]) => [name.toLowerCase(), values.find(Boolean) ?? '']),
  );
}

export const TARGET_WORDS: Record<NonNullable<OwnButton['button']>, string> = {
  flow: 'It opens a flow.',
  exit_page: 'It leads straight to the exit page.',
  elsewhere: 'It leads neither to a flow nor to the exit page.',
};
