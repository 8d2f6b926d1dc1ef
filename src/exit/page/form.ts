import { isRightToLeft, type Language, LANGUAGES } from '../../platform/text/languages';
import type { DeclarationKind } from '../../flows/flow-exit';
import { TERMINATIONS } from '../declaration.entity';
import { MAX_CONTRACT, MAX_NAME, MAX_REASON, MAX_WHEN } from '../dto/declare.dto';
import type { ExitFlow, OpenExitFlow } from '../exit-flows.service';
import { EXIT_WORDS, type ExitWords } from '../words/exit-words';
import { escaped } from './html';
import { schemeOf, styleOf } from './style';

/** The fields of the form. `trap` is for machines: customers don't see it. */
export const FORM_FIELDS = ['name', 'contract', 'email', 'termination', 'reason', 'when', 'trap'] as const;
export type FormField = (typeof FORM_FIELDS)[number];

/** The content of the page. */
export interface FormView {
  flow: OpenExitFlow;
  language: Language;
  kind: DeclarationKind;
  typed: Partial<Record<FormField, string>>;
  /** Faults of fields. */
  faults?: Partial<Record<FormField, string>>;
  /** Why nothing was stored, although nothing is wrong with it. */
  failure?: string;
}

/** The page: fill in, confirm. Nothing else is asked or offered, and nothing of it needs a script. */
export function formPage(view: FormView): string {
  const { flow, language, kind } = view;
  const words = EXIT_WORDS[language];
  const here = (query: { lang?: string; kind?: string }) =>
    escaped(`?${new URLSearchParams({ kind, lang: language, ...query }).toString()}`);
  const others = flow.exit.kinds.filter((other) => other !== kind);
  const main = `<h1>${escaped(words.title[kind])}: <span dir="auto">${escaped(flow.product_name)}</span></h1>
<p>${escaped(words.intro[kind])}</p>
${noticeOf(view, words)}<form method="post" action="${here({})}" accept-charset="utf-8">
<h2>1. ${escaped(words.fillIn)}</h2>
${fieldsOf(view, words)}
<h2>2. ${escaped(words.confirm)}</h2>
<p>${escaped(words.effect[kind])}</p>
<button type="submit">${escaped(words.button[kind])}</button>
</form>
${others.map((other) => `<p><a href="${here({ kind: other })}">${escaped(words.other[other])}</a></p>`).join('\n')}`;
  const footer = LANGUAGES.filter((other) => other !== language).map(
    (other) =>
      `<a href="${here({ lang: other })}" lang="${other}" hreflang="${other}">${EXIT_WORDS[other].language}</a>`,
  );
  return pageOf(`${words.title[kind]}: ${flow.product_name}`, language, flow, main, footer.join('\n'));
}

/** The words of the page as they are kept with a declaration. */
export function shownWords(language: Language, kind: DeclarationKind, product: string): string {
  const words = EXIT_WORDS[language];
  const { terminations } = words;
  const ofTermination = [words.termination, ...TERMINATIONS.map((one) => terminations[one]), words.reason, words.when];
  const labels = [words.name, words.contract, words.email, ...(kind === 'termination' ? ofTermination : [])];
  const heading = `${words.title[kind]}: ${product}`;
  return [heading, words.intro[kind], ...labels, words.effect[kind], `[${words.button[kind]}]`].join('\n');
}

/** A whole page. Without a flow it has no colour of its own. */
export function pageOf(
  title: string,
  language: Language,
  flow: Pick<ExitFlow, 'primary_color' | 'logo_url' | 'brand' | 'workspace_name'> | undefined,
  main: string,
  footer = '',
): string {
  const logo = flow?.logo_url ? `<img src="${escaped(flow.logo_url)}" alt="${escaped(flow.workspace_name)}">\n` : '';
  return `<!DOCTYPE html>
<html lang="${language}" dir="${isRightToLeft(language) ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="${schemeOf(flow?.brand)}">
<title>${escaped(title)}</title>
<style>${styleFor(flow)}</style>
</head>
<body>
${logo}<main>
${main}
</main>
${footer && `<footer>${footer}</footer>`}
</body>
</html>
`;
}

export function styleFor(flow: Pick<ExitFlow, 'primary_color' | 'brand'> | undefined): string {
  return styleOf(flow?.primary_color ?? '#444', flow?.brand);
}

/** The ways that are left when this one is not. */
export function otherWays({ cancellation_url, exit }: ExitFlow, words: ExitWords): string {
  const email = exit?.recipient_email;
  const mail = email
    ? `<li>${escaped(words.writeTo)} <a href="mailto:${encodeURI(email)}">${escaped(email)}</a></li>`
    : '';
  return `<p>${escaped(words.otherWays)}</p>
<ul><li><a href="${escaped(cancellation_url)}">${escaped(words.toCancellationPage)}</a></li>${mail}</ul>`;
}

function noticeOf({ flow, faults = {}, failure }: FormView, words: ExitWords): string {
  if (failure) return `<div class="notice" role="alert"><p>${escaped(failure)}</p>\n${otherWays(flow, words)}</div>\n`;
  const faulty = FORM_FIELDS.filter((field) => faults[field]);
  if (faulty.length === 0) return '';
  const labels: Record<FormField, string> = { ...words, trap: words.leaveEmpty };
  const items = faulty.map((field) => `<li><a href="#${field}">${escaped(labels[field])}</a></li>`);
  return `<div class="notice" role="alert"><p>${escaped(words.faulty)}</p>\n<ul>${items.join('')}</ul></div>\n`;
}

function fieldsOf(view: FormView, words: ExitWords): string {
  const { kind, typed } = view;
  const input = (field: FormField, label: string, attributes: string, hint?: string) => {
    const { id, about } = describing(view, field, hint);
    const value = `value="${escaped(typed[field] ?? '')}"`;
    return `<div class="field"><label for="${field}">${escaped(label)}</label>
${about}<input id="${field}" name="${field}" ${attributes} ${value}${id}></div>`;
  };
  const always = [
    input('name', words.name, `type="text" autocomplete="name" maxlength="${MAX_NAME}" required`),
    input('contract', words.contract, `type="text" maxlength="${MAX_CONTRACT}" required`, words.contractHint),
    input('email', words.email, 'type="email" autocomplete="email" maxlength="254" required'),
  ];
  const trap = `<div class="trap"><label for="trap">${escaped(words.leaveEmpty)}</label>
${describing(view, 'trap').about}<input id="trap" name="trap" type="text" tabindex="-1" autocomplete="off" value="${escaped(typed.trap ?? '')}"></div>`;
  if (kind === 'withdrawal') return [...always, trap].join('\n');
  const chosen = typed.termination === 'extraordinary' ? 'extraordinary' : 'ordinary';
  const choices = TERMINATIONS.map(
    (one, index) =>
      `<label class="choice"><input type="radio"${index === 0 ? ' id="termination"' : ''} name="termination" value="${one}"${one === chosen ? ' checked' : ''}> <span>${escaped(words.terminations[one])}</span></label>`,
  );
  const { id, about } = describing(view, 'reason', words.reasonHint);
  return [
    ...always,
    `<fieldset><legend>${escaped(words.termination)}</legend>\n${choices.join('\n')}</fieldset>`,
    `<div class="field"><label for="reason">${escaped(words.reason)}</label>
${about}<textarea id="reason" name="reason" rows="3" maxlength="${MAX_REASON}"${id}>\n${escaped(typed.reason ?? '')}</textarea></div>`,
    input('when', words.when, `type="date" maxlength="${MAX_WHEN}"`, words.whenHint),
    trap,
  ].join('\n');
}

/** The text below a label, and the attributes that tie it to its field. */
function describing({ faults }: FormView, field: FormField, hint?: string): { id: string; about: string } {
  const fault = faults?.[field];
  const ids = [...(hint ? [`${field}-hint`] : []), ...(fault ? [`${field}-fault`] : [])];
  // Browsers call what is required and empty invalid, before anything was sent.
  const id = `${ids.length > 0 ? ` aria-describedby="${ids.join(' ')}"` : ''} aria-invalid="${fault !== undefined}"`;
  const hinted = hint ? `<p class="hint" id="${field}-hint">${escaped(hint)}</p>\n` : '';
  const told = fault ? `<p class="fault" id="${field}-fault">${escaped(fault)}</p>\n` : '';
  return { id, about: hinted + told };
}
