import type { ShowOptions } from '../widget/v1.d';

/** The demo's account page and its cancellation page. Nothing here is needed to use the widget. */

type Service = 'running' | 'frozen' | 'gone';
/** A line of the log: `name` is what happened, `detail` is JSON or a status. */
interface Entry {
  kind: 'event' | 'request';
  name: string;
  detail: string;
}

const LOG_KEY = 'retention-flow-demo-log';
const EVENTS = ['opened', 'shown', 'step', 'saved', 'contacted', 'canceled', 'closed', 'unavailable'];

const query = new URLSearchParams(location.search);
const flow = query.get('flow')?.trim() ?? '';
const session = query.get('session')?.trim() ?? '';

const find = (id: string) => document.getElementById(id);

for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-keep-query]')) link.search = location.search;
pretend();
const cancel = find('cancel') as HTMLAnchorElement | null;
if (cancel && !flow && !session) askForFlow();
else {
  find('panel')!.hidden = false;
  showLog();
  if (cancel) setUp(cancel);
}

/** Answers the widget's requests as a service would that is frozen or gone, and logs them. */
function pretend(): void {
  const real = window.fetch.bind(window);
  window.fetch = async (resource, init) => {
    const service = document.querySelector<HTMLInputElement>('input[name=service]:checked')?.value as Service;
    const { pathname } = new URL(resource instanceof Request ? resource.url : resource, location.href);
    const path = pathname.replace(/^.*\/runtime/, '').replace(/(\/session\/)(?!init)[^/]+/, '$1…');
    const name = `${init?.method ?? 'GET'} ${path}`;
    const start = performance.now();
    try {
      if (service === 'gone') throw new TypeError('Failed to fetch');
      if (service === 'frozen') return await never(init?.signal);
      const response = await real(resource, init);
      log({ kind: 'request', name, detail: `${response.status} in ${Math.round(performance.now() - start)} ms` });
      return response;
    } catch (error) {
      const after = Math.round(performance.now() - start);
      log({ kind: 'request', name, detail: service === 'frozen' ? `given up after ${after} ms` : 'failed' });
      throw error;
    }
  };
}

/** The id of a session is a credential. The log doesn't need it. */
function withoutSessionId(name: string, value: unknown): unknown {
  return name === 'sessionId' ? '…' : value;
}

function never(signal?: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });
}

function askForFlow(): void {
  find('shop')!.hidden = true;
  find('setup')!.hidden = false;
  find('choose')!.addEventListener('submit', (event) => {
    event.preventDefault();
    location.search = String(new URLSearchParams({ flow: (find('slug') as HTMLInputElement).value.trim() }));
  });
}

function setUp(cancel: HTMLAnchorElement): void {
  if (flow) cancel.setAttribute('data-retention-flow', flow);
  else cancel.addEventListener('click', showSession);
  for (const name of EVENTS) {
    document.addEventListener(`retention-flow:${name}`, (event) => {
      const detail = JSON.stringify((event as CustomEvent<unknown>).detail, withoutSessionId, 2) ?? '';
      log({ kind: 'event', name: event.type, detail });
    });
  }
  showSnippet();

  const blocked = find('blocked') as HTMLInputElement;
  blocked.checked = query.get('script') === 'blocked';
  blocked.addEventListener('change', () => {
    if (blocked.checked) query.set('script', 'blocked');
    else query.delete('script');
    location.search = String(query);
  });

  const dark = find('dark') as HTMLInputElement;
  const setScheme = () => {
    const scheme = dark.checked ? 'dark' : 'light';
    document.documentElement.dataset.scheme = scheme;
    cancel.setAttribute('data-color-scheme', scheme);
  };
  dark.checked = matchMedia('(prefers-color-scheme: dark)').matches;
  dark.addEventListener('change', setScheme);
  setScheme();

  const language = find('language') as HTMLSelectElement;
  const setLanguage = () => cancel.setAttribute('data-lang', language.value);
  language.addEventListener('change', setLanguage);
  setLanguage();
}

/** With `?session=`: shows a session that exists already, such as a preview. */
function showSession(event: MouseEvent): void {
  const source = event.currentTarget as HTMLAnchorElement;
  // Without the widget, the link leads on.
  if (!customElements.get('retention-flow')) return;
  event.preventDefault();
  const widget = document.querySelector('retention-flow') ?? document.createElement('retention-flow');
  document.body.append(widget);
  const { lang } = source.dataset;
  const colorScheme = source.dataset.colorScheme as ShowOptions['colorScheme'];
  void widget.show({ sessionId: session, cancelUrl: source.href, lang, colorScheme, source });
}

function showSnippet(): void {
  if (!flow) {
    find('markup')!.hidden = true;
    find('counted')!.textContent = 'This shows a session that exists already.';
    return;
  }
  find('snippet')!.textContent = [
    `<script async src="${new URL('widget/v1.js', location.href).href}"></script>`,
    `<a href="/account/cancel"\n   data-retention-flow="${flow.replace(/"/g, '&quot;')}">Cancel subscription</a>`,
  ].join('\n');
}

/** The log outlives the way to the cancellation page, in the tab's storage. */
function stored(): Entry[] {
  try {
    return JSON.parse(sessionStorage.getItem(LOG_KEY) ?? '[]') as Entry[];
  } catch {
    return [];
  }
}

function store(entries: Entry[]): void {
  try {
    sessionStorage.setItem(LOG_KEY, JSON.stringify(entries.slice(-100)));
  } catch {
    // Storage may be forbidden.
  }
}

function log(entry: Entry): void {
  store([...stored(), entry]);
  append(entry);
}

function showLog(): void {
  for (const entry of stored()) append(entry);
  find('clear')?.addEventListener('click', () => {
    store([]);
    find('log')!.replaceChildren();
    count();
  });
}

function append({ kind, name, detail }: Entry): void {
  const list = find('log')!;
  const item = document.createElement('li');
  item.className = kind;
  item.append(element('b', name), element('code', detail));
  list.append(item);
  list.scrollTop = list.scrollHeight;
  count();
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function count(): void {
  const requests = document.querySelectorAll('#log .request').length;
  find('requests')!.textContent = requests === 1 ? '1 request' : `${requests || 'No'} requests`;
}
