import { useEffect } from 'preact/hooks';
import { Page } from '../ui/page';
import { Toasts } from '../ui/toast';
import { MENU, PAGES } from './pages';
import { href, match, useRoute } from './route';
import { type ServiceStatus, useAskingAgain, useServiceStatus } from './service-status';
import { useSession } from './session';

/** What is around every page: the menu, and what is to be known of the service. */
export function Frame() {
  const { path, query } = useRoute();
  const { client, workspace, mayWrite, end } = useSession();
  const status = useServiceStatus();
  // On a phone, the menu is wider than the page.
  useEffect(() => document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' }), [path]);
  useAskingAgain(status === 'well', (signal) => client.workspace.get({ signal }));
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the page
      </a>
      <header class="side">
        <div class="brand">
          <img src="console/icon.svg" alt="" width="28" height="28" />
          <strong class="workspace-name" title={workspace.name}>
            {workspace.name}
          </strong>
        </div>
        <nav aria-label="Pages">
          <ul>
            {MENU.map(([to, name]) => (
              <li key={to}>
                <a href={href(to)} aria-current={isCurrent(to, path) ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="account">
          {!mayWrite && <span class="badge">Read only</span>}
          <button type="button" class="quiet small" onClick={() => end()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <ServiceNotice status={status} />
        <CurrentPage path={path} query={query} />
      </main>
      <Toasts />
    </div>
  );
}

function CurrentPage({ path, query }: { path: string; query: URLSearchParams }) {
  for (const [pattern, Shown] of PAGES) {
    const params = match(pattern, path);
    // Another path is another page, also where the pattern is the same.
    if (params) return <Shown key={path} params={params} query={query} />;
  }
  return (
    <Page title="Not found">
      <p>
        There is no such page. <a href={href('/')}>To the overview</a>
      </p>
    </Page>
  );
}

const NOTICES: Record<Exclude<ServiceStatus, 'well'>, string> = {
  limited: 'The service limits how often this key may ask. Trying again in a moment.',
  busy: 'The service is too busy to answer. Trying again in a moment.',
  away: 'The service does not answer. Trying again in a moment.',
};

function ServiceNotice({ status }: { status: ServiceStatus }) {
  return (
    <div role="status" class="service-notice">
      {status !== 'well' && <p class="notice warning">{NOTICES[status]}</p>}
    </div>
  );
}

function isCurrent(to: string, path: string): boolean {
  return to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
}

/** The fragment of the address is the route, so the link may not change it. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
