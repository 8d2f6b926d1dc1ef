import type * as Widget from '../widget/v1.d';

/** The page of a flow, for links in mails, apps and support. Without this script, its link leads to the cancellation page. */

const SERVICE = new URL('..', (document.currentScript as HTMLScriptElement).src).href;
const link = document.querySelector<HTMLAnchorElement>('a[data-flow]')!;
const { flow = '', customerToken, lang, returnTo } = link.dataset;

void import(`${SERVICE}widget/v1.mjs`).then(({ show }: typeof Widget) => {
  const walk = async () => {
    const options = { flow, customerToken, lang, cancelUrl: link.href, colorScheme: 'auto' as const, source: link };
    const { outcome, acceptUrl } = await show(options);
    // Otherwise the widget leads on, or the customer reads that they stay.
    if (outcome === 'saved' && returnTo && !acceptUrl) location.assign(returnTo);
  };
  link.addEventListener('click', (event) => {
    event.preventDefault();
    void walk();
  });
  void walk();
});
