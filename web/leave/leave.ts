import type * as Widget from '../widget/v1.d';

/**
 * The page of a flow, for links in mails, apps and support. Without this script, it has only its link to the
 * cancellation page.
 */

const SERVICE = new URL('..', (document.currentScript as HTMLScriptElement).src).href;
const link = document.querySelector<HTMLAnchorElement>('a[data-flow]')!;
const button = document.querySelector('button')!;
const { flow = '', customerToken, lang, returnTo } = link.dataset;
const colorScheme = link.dataset.colorScheme as 'light' | 'dark' | 'auto';
let hasBegun = false;

void import(`${SERVICE}widget/v1.mjs`).then(({ show }: typeof Widget) => {
  button.hidden = false;
  const walk = async () => {
    const options = { flow, customerToken, lang, cancelUrl: link.href, colorScheme, source: button };
    const { outcome, acceptUrl } = await show(options);
    // Otherwise the widget leads on, or the customer reads that they stay.
    if (outcome === 'saved' && returnTo && !acceptUrl) location.assign(returnTo);
  };
  // The first press anywhere begins the flow. A program that opens the page presses nothing, or what isn't trusted.
  document.addEventListener('click', ({ isTrusted, target }) => {
    const begins = target === button || (!hasBegun && !link.contains(target as Node));
    if (!isTrusted || !begins) return;
    hasBegun = true;
    void walk();
  });
});
