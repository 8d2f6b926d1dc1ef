import type { Language } from '../../platform/text/languages';
import { MAX_TOKEN } from '../../workspaces/customer-keys/customer-token';
import { SIMPLE_WORDS } from '../../flows/graph/simple-words';
import type { ExitFlow } from '../exit-flows.service';
import { EXIT_WORDS } from '../words/exit-words';
import { pageOf } from './form';
import { escaped } from './html';

/** The parameters of `/leave/:slug`, as they come. */
export interface LeaveQuery {
  /** A customer token. */
  token?: unknown;
  lang?: unknown;
}

/** The longest address that a token may lead back to. */
const MAX_RETURN_TO = 2048;

/**
 * The page of a flow, in which the widget shows it: for links in mails, in apps and of support. A session begins when
 * the customer presses something, because scanners of mails open the page, too. Where no script runs, there is only the
 * link to the cancellation page.
 */
export function leavePage(flow: ExitFlow, language: Language, { token, lang }: LeaveQuery): string {
  const { title } = SIMPLE_WORDS.confirm[language];
  const { toFlow, toCancellationPage } = EXIT_WORDS[language];
  const given = typeof token === 'string' && token.length <= MAX_TOKEN ? token : undefined;
  const data = {
    flow: flow.slug,
    lang: typeof lang === 'string' ? lang : language,
    'color-scheme': flow.brand.scheme ?? 'auto',
    'customer-token': given,
    'return-to': given && returnToIn(given, flow),
  };
  const attributes = Object.entries(data).map(([name, value]) => (value ? ` data-${name}="${escaped(value)}"` : ''));
  const main = `<h1 dir="auto">${escaped(flow.product_name)}</h1>
<p>${escaped(title)}</p>
<p><button type="button" hidden>${escaped(toFlow)}</button></p>
<p><a href="${escaped(flow.cancellation_url)}"${attributes.join('')}>${escaped(toCancellationPage)}</a></p>
<script src="leave.js"></script>`;
  return pageOf(`${flow.product_name}: ${title}`, language, flow, main);
}

/**
 * Where customers who stay go: the claim `return_to` of a token. It has to be an https address at an allowed origin or,
 * if all are allowed, at the cancellation page's. The start verifies the token; nothing here depends on who wrote it.
 */
export function returnToIn(
  token: string,
  { allowed_origins, cancellation_url }: Pick<ExitFlow, 'allowed_origins' | 'cancellation_url'>,
): string | undefined {
  const { return_to } = claimsOf(token);
  if (typeof return_to !== 'string' || return_to.length > MAX_RETURN_TO || !URL.canParse(return_to)) return undefined;
  const { protocol, origin, href } = new URL(return_to);
  const allowed = allowed_origins.length > 0 ? allowed_origins : [new URL(cancellation_url).origin];
  return protocol === 'https:' && allowed.includes(origin) ? href : undefined;
}

function claimsOf(token: string): { return_to?: unknown } {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof claims === 'object' && claims !== null ? claims : {};
  } catch {
    return {};
  }
}
