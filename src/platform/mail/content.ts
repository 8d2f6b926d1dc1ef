/** How a mail begins. When it is sent, nobody knows yet whether the subscription is canceled. */
export const KINDS = {
  saved: 'Saved',
  canceled: 'Went on to cancel',
  contacted: 'Wants to talk',
  ending: 'Ends soon',
  declared: 'Declaration',
  summary: 'Summary',
  report: 'Report',
  invitation: 'Invitation',
  password: 'New password',
};

/** The content of a mail, however it is laid out. All texts are single lines, except quotes. */
export interface MailContent {
  subject: string;
  kind: keyof typeof KINDS;
  /** The name of the flow or the workspace. */
  title: string;
  /** The event, as a sentence. */
  lead: string;
  sections: MailSection[];
  note: string;
}

export interface MailSection {
  label: string;
  lines: MailLine[];
}

export interface MailLine {
  text: string;
  count?: number;
  quote?: string;
  /** Whether the text is an address to open. */
  isLink?: true;
}

/** The longest text that a subject quotes, in characters. */
const MAX_IN_SUBJECT = 100;

export function section(label: string, ...texts: string[]): MailSection {
  return { label, lines: texts.map((text) => ({ text: oneLine(text) })) };
}

export function utc(time: string | number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A text as a single line without control characters, such as those that would end a header field. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** A text as it fits into a subject. */
export function clipped(text: string): string {
  const characters = [...oneLine(text)];
  if (characters.length <= MAX_IN_SUBJECT) return characters.join('');
  return `${characters
    .slice(0, MAX_IN_SUBJECT - 1)
    .join('')
    .trimEnd()}…`;
}
