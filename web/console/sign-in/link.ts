import { useLayoutEffect, useState } from 'preact/hooks';

/** What a link opens that the service made: it works once. */
export interface OneTimeLink {
  page: 'setup' | 'invitation' | 'password';
  token: string;
}

/** The link in the address. It is taken out, so that neither the history nor somebody who looks on has it. */
function takeLink(): OneTimeLink | undefined {
  const found = /^#\/(setup|invitation|password)\/([\w-]+)$/.exec(location.hash);
  if (!found) return undefined;
  history.replaceState(null, '', '#/');
  const [, page, token] = found;
  return { page: page as OneTimeLink['page'], token };
}

/** Whether somebody comes back from the OpenID provider, and may not sign in. The address forgets it. */
export function takeRefusal(): boolean {
  if (location.hash !== '#/sign-in/refused') return false;
  history.replaceState(null, '', '#/');
  return true;
}

/** The link that was opened last, until it is let go. */
export function useLink(): [link: OneTimeLink | undefined, letGo: () => void] {
  const [link, setLink] = useState(takeLink);
  useLayoutEffect(() => {
    const follow = () => setLink((before) => takeLink() ?? before);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return [link, () => setLink(undefined)];
}
