import { type Language, isRightToLeft } from '../platform/text/languages';
import type { FlowVersion } from '../flows/versions/flow-version.entity';
import { oneLine } from '../platform/mail/content';
import type { Declaration } from './declaration.entity';
import { escaped } from './page/html';
import { schemeOf } from './page/style';
import type { Workspace } from '../workspaces/workspace.entity';
import { ourLanguageFor } from './words/choice';
import { EXIT_WORDS, filled } from './words/exit-words';

/**
 * A customer's receipt, the same in a mail, in a file and on the page. Labels and texts are single lines, except texts
 * of customers.
 */
export interface Receipt {
  language: Language;
  subject: string;
  title: string;
  lead: string;
  rows: { label: string; text: string }[];
  note: string;
  /** In a mail: where its reader confirms that they declared. */
  confirmation?: { lead: string; label: string; url: string };
}

/** What a receipt looks like. */
export type Branding = Pick<Workspace, 'primary_color' | 'brand'>;

/** The receipt of a declaration that was not erased. */
export function receiptOf(declaration: Declaration, product: string): Receipt {
  const { language, kind, number, name, contract, termination, reason, when, email, created_at } = declaration;
  const words = EXIT_WORDS[language];
  const { receipt } = words;
  return {
    language,
    subject: `${filled(receipt.subject, { product: oneLine(product) })} (${number})`,
    title: receipt.title[kind],
    lead: receipt.lead,
    rows: [
      { label: receipt.number, text: number },
      { label: receipt.received, text: timeIn(language, created_at) },
      { label: receipt.kind, text: receipt.kinds[kind] },
      { label: receipt.product, text: product },
      { label: words.name, text: name! },
      { label: words.contract, text: contract },
      ...(termination ? [{ label: words.termination, text: words.terminations[termination] }] : []),
      ...(reason ? [{ label: words.reason, text: reason }] : []),
      ...(termination ? [{ label: words.when, text: when ?? receipt.asSoonAsPossible }] : []),
      { label: words.email, text: email! },
    ],
    note: receipt.keep,
  };
}

/** The receipt of a session that a customer canceled, in the language that it was shown in. */
export function receiptOfSession(
  locale: string,
  { locale: own, product_name, cancellation_url }: Pick<FlowVersion, 'locale' | 'product_name' | 'cancellation_url'>,
  canceledAt: Date,
): Receipt {
  const language = ourLanguageFor(locale, own);
  const { receipt } = EXIT_WORDS[language];
  return {
    language,
    subject: filled(receipt.subject, { product: oneLine(product_name) }),
    title: receipt.canceledTitle,
    lead: receipt.canceledLead,
    rows: [
      { label: receipt.product, text: product_name },
      { label: receipt.received, text: timeIn(language, canceledAt) },
      { label: receipt.goOn, text: cancellation_url },
    ],
    note: receipt.keep,
  };
}

export function textOfReceipt({ title, lead, rows, note, confirmation }: Receipt): string {
  const lines = rows.map(({ label, text }) => `${label}: ${linesOf(text).join('\n  ')}`);
  const confirm = confirmation ? [`${confirmation.lead} ${confirmation.label}:\n  ${confirmation.url}`] : [];
  return `${[title, lead, lines.join('\n'), note, ...confirm].join('\n\n')}\n`;
}

/** The receipt as HTML: a part of the page, and the whole of a mail or file. */
export function partOfReceipt({ title, lead, rows, note }: Receipt): string {
  const items = rows.map(
    ({ label, text }) => `<dt>${escaped(label)}</dt><dd dir="auto">${linesOf(text).map(escaped).join('<br>')}</dd>`,
  );
  return `<h1>${escaped(title)}</h1>\n<p>${escaped(lead)}</p>\n<dl>\n${items.join('\n')}\n</dl>\n<p>${escaped(note)}</p>`;
}

/** With the colour, the font and the scheme of the workspace. A mail loads nothing, so it has no logo. */
export function htmlOfReceipt(receipt: Receipt, { primary_color, brand }: Branding): string {
  const { language, subject, confirmation } = receipt;
  const confirm = confirmation
    ? `\n<p>${escaped(confirmation.lead)} <a href="${escaped(confirmation.url)}">${escaped(confirmation.label)}</a></p>`
    : '';
  const scheme = schemeOf(brand);
  return `<!DOCTYPE html>
<html lang="${language}" dir="${isRightToLeft(language) ? 'rtl' : 'ltr'}" style="color-scheme:${scheme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<title>${escaped(subject)}</title>
<style>body{max-width:36em;margin:0 auto;padding:24px 16px;border-top:8px solid ${primary_color};font:16px/1.5 ${brand.font ?? 'sans-serif'};overflow-wrap:anywhere}dt{font-weight:bold}dd{margin:0 0 12px}</style>
</head>
<body>
${partOfReceipt(receipt)}${confirm}
</body>
</html>
`;
}

function timeIn(language: Language, time: Date): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(time);
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.replaceAll(/\p{Cc}/gu, ' ').trimEnd());
}
