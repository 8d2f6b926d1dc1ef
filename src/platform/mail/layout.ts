import { KINDS, type MailContent, type MailLine, type MailSection } from './content';

export interface MailMessage {
  subject: string;
  text: string;
  html: string;
}

/** White text is readable on these, and they stand out from a light and from a dark page (WCAG 2.2, AA). */
const COLORS: Record<MailContent['kind'], string> = {
  saved: '#15803d',
  canceled: '#b91c1c',
  contacted: '#b45309',
  ending: '#b45309',
  declared: '#b45309',
  summary: '#4f46e5',
  report: '#4f46e5',
  invitation: '#4f46e5',
  password: '#4f46e5',
};
const FONT = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
/** Between sections, and beside a quote: visible on a light and on a dark page. */
const LINE = '1px solid rgba(128,128,128,0.4)';
const BAR = '3px solid #8a8a8a';
/** Texts take the color of the page, so that the mail is light or dark as its reader likes it. */
const MUTED = 'opacity:0.75';
const TABLE = 'role="presentation" border="0" cellpadding="0" cellspacing="0" width="100%"';
/** A long word is broken rather than making the mail wider than a phone. */
const BREAK = 'overflow-wrap:anywhere;word-break:break-word';

export function messageOf(content: MailContent): MailMessage {
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) };
}

/** A mail as HTML: tables and inline styles, which every mail program shows, and nothing that is loaded. */
export function htmlOf({ subject, kind, title, lead, sections, note }: MailContent): string {
  return `<!DOCTYPE html>
<html lang="en" style="color-scheme:light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:0">
<table ${TABLE}><tr><td align="center" style="padding:24px 16px">
<table ${TABLE} style="max-width:560px;text-align:left;${FONT};font-size:16px;line-height:24px">
<tr><td style="padding:0 0 12px"><span style="display:inline-block;padding:2px 12px;border-radius:12px;background-color:${COLORS[kind]};color:#ffffff;font-size:14px;font-weight:600">${KINDS[kind]}</span></td></tr>
<tr><td style="padding:0 0 4px"><h1 dir="auto" style="margin:0;font-size:22px;line-height:30px;${BREAK}">${escaped(title)}</h1></td></tr>
<tr><td style="padding:0 0 20px">${escaped(lead)}</td></tr>
${sections.map(sectionOf).join('\n')}
<tr><td style="padding:16px 0 0;border-top:${LINE};font-size:13px;line-height:20px;${MUTED}">${escaped(note)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

function sectionOf({ label, lines }: MailSection): string {
  return `<tr><td style="padding:12px 0;border-top:${LINE}">
<div style="font-size:13px;line-height:20px;${MUTED}">${escaped(label)}</div>
<table ${TABLE}>${lines.map(lineOf).join('')}</table>
</td></tr>`;
}

function lineOf({ text, count, quote, isLink }: MailLine): string {
  const number = count === undefined ? '' : `<td align="right" valign="top" style="padding:0 0 0 16px">${count}</td>`;
  const quoted = quote
    ? `<tr><td><div dir="auto" style="margin:8px 0 0;padding:0 0 0 12px;border-left:${BAR};${BREAK}">${linesOf(quote).map(escaped).join('<br>')}</div></td></tr>`
    : '';
  const shown = isLink ? `<a href="${escaped(text)}">${escaped(text)}</a>` : escaped(text);
  return `<tr><td dir="auto" style="${BREAK}">${shown}</td>${number}</tr>${quoted}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A mail as plain text. */
export function textOf({ kind, title, lead, sections, note }: MailContent): string {
  const blocks = sections.map(({ label, lines }) =>
    [
      `${label}:`,
      ...lines.flatMap(({ text, count, quote }) => [
        `  ${text}${count === undefined ? '' : `: ${count}`}`,
        ...(quote ? linesOf(quote).map((line) => `  > ${line}`.trimEnd()) : []),
      ]),
    ].join('\n'),
  );
  return `${[`${KINDS[kind]}: ${title}`, lead, ...blocks, `-- \n${note}`].join('\n\n')}\n`;
}

/** The lines of a text, without control characters. */
function linesOf(text: string): string[] {
  return text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replaceAll(/\p{Cc}/gu, ' ').trimEnd());
}
