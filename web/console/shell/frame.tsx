import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../ui/action';
import { Page } from '../ui/page';
import { messageOf } from '../ui/problem';
import { toast, Toasts } from '../ui/toast';
import { menuFor, PAGES } from './pages';
import { href, leavePage, match, useRoute } from './route';
import { isUp, type ServiceStatus, useAskingAgain, useServiceStatus } from './service-status';
import { useSession } from './session';
import { Unbroken } from './unbroken';

/** What is around every page: the menu, and what is to be known of the service. */
export function Frame() {
  const { path, query } = useRoute();
  const { client, actor, workspace } = useSession();
  const status = useServiceStatus();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(false), [path]);
  useKeptFocus();
  useAskingAgain(isUp(status), (signal) => client.workspace.get({ signal }));
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the page
      </a>
      <header class={isOpen ? 'side is-open' : 'side'}>
        <div class="brand">
          <img src="console/icon.svg" alt="" width="28" height="28" />
          <WorkspaceName />
          {workspace.test && <span class="badge">Test</span>}
        </div>
        <button
          type="button"
          class="quiet small menu"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setIsOpen(!isOpen)}
        >
          Menu
        </button>
        <nav id="menu" aria-label="Pages">
          {menuFor(actor.type).map(({ name, links }) => (
            <section key={name}>
              <p class="soft" id={`menu-${name}`}>
                {name}
              </p>
              <ul aria-labelledby={`menu-${name}`}>
                {links.map(([to, name]) => (
                  <li key={to}>
                    <a href={href(to)} aria-current={isCurrent(to, path) ? 'page' : undefined}>
                      {name}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
        <Account path={path} />
      </header>
      <main id="main" tabIndex={-1}>
        {'sendsNothing' in document.body.dataset && <p class="service-notice notice warning">{SENDS_NOTHING}</p>}
        <ServiceNotice status={status} />
        <CurrentPage path={path} query={query} />
      </main>
      <Toasts />
    </div>
  );
}

/** For a person of several workspaces, it leads to the others. */
function WorkspaceName() {
  const { workspace, workspaces, refresh } = useSession();
  if (workspaces.length < 2) {
    return (
      <strong class="workspace-name" title={workspace.name}>
        {workspace.name}
      </strong>
    );
  }
  /** Until the other workspace is there, this one is shown. */
  function choose(select: HTMLSelectElement): void {
    const chosen = select.value;
    select.value = workspace.id;
    leavePage(() => void refresh(chosen).catch(sayWhy));
  }
  return (
    <>
      <label class="unseen" for="workspace">
        Workspace
      </label>
      <select id="workspace" onChange={({ currentTarget }) => choose(currentTarget)}>
        {workspaces.map(({ id, name }) => (
          <option key={id} value={id} selected={id === workspace.id}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}

/** Who is signed in, what they may do, and the way out. */
function Account({ path }: { path: string }) {
  const { client, actor, role, end } = useSession();
  const isPerson = actor.type === 'person';
  const signOut = useAction(async () => {
    if (isPerson) await client.me.signOut();
    end();
  });
  useEffect(() => {
    if (signOut.error !== undefined) sayWhy(signOut.error);
  }, [signOut.error]);
  return (
    <div class="account">
      {isPerson && (
        <a href={href('/account')} title="Your account" aria-current={path === '/account' ? 'page' : undefined}>
          {actor.name}
        </a>
      )}
      {isPerson && <span class="badge">{role}</span>}
      {!isPerson && role === 'viewer' && <span class="badge">Read only</span>}
      <button
        type="button"
        class="quiet small"
        disabled={signOut.isBusy}
        onClick={() => leavePage(() => signOut.run())}
      >
        Sign out
      </button>
    </div>
  );
}

const sayWhy = (error: unknown) => toast(messageOf(error));

function CurrentPage({ path, query }: { path: string; query: URLSearchParams }) {
  for (const [pattern, Shown] of PAGES) {
    const params = match(pattern, path);
    // Another path is another page, also where the pattern is the same.
    if (params) {
      return (
        <Unbroken key={path}>
          <Shown params={params} query={query} />
        </Unbroken>
      );
    }
  }
  return (
    <Page title="Not found">
      <p>
        There is no such page. <a href={href('/')}>To the overview</a>
      </p>
    </Page>
  );
}

const NOTICES: Record<Exclude<ServiceStatus, 'well' | 'refused'>, string> = {
  limited: 'The service limits how often you may ask. Trying again in a moment.',
  busy: 'The service is too busy to answer. Trying again in a moment.',
  away: 'The service does not answer. Trying again in a moment.',
};

const SENDS_NOTHING = 'This is a copy of the service: it sends no webhooks and no mails (SEND_NOTHING).';

function ServiceNotice({ status }: { status: ServiceStatus }) {
  return (
    <div role="status" class="service-notice">
      {!isUp(status) && <p class="notice warning">{NOTICES[status]}</p>}
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

/** When what has the focus vanishes, such as a button that has done its work, the heading of the page gets it. */
function useKeptFocus(): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const note = ({ target }: Event) => (last = target);
    const keep = () => {
      const isLost = last instanceof Element && !last.isConnected && document.activeElement === document.body;
      if (isLost) document.querySelector('h1')?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(keep);
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      removeEventListener('focusin', note);
    };
  }, []);
}
