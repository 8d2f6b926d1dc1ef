import { linesOf } from './lines';
import { type MailContent, OUTCOMES } from './mail-content';

/** A mail as plain text. */
export function textOf({ outcome, title, lead, sections, note }: MailContent): string {
  const blocks = sections.map(({ label, lines }) =>
    [
      `${label}:`,
      ...lines.flatMap(({ text, count, quote }) => [
        `  ${text}${count === undefined ? '' : `: ${count}`}`,
        ...(quote ? linesOf(quote).map((line) => `  > ${line}`.trimEnd()) : []),
      ]),
    ].join('\n'),
  );
  return `${[`${OUTCOMES[outcome]}: ${title}`, lead, ...blocks, `-- \n${note}`].join('\n\n')}\n`;
}
