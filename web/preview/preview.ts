import type * as Widget from '../widget/v1.d';

/** The page of a preview, for whoever has the link. Its id is behind #, so that it is in no log. */

const SERVICE = new URL('.', document.baseURI).href;
const sessionId = location.hash.slice(1);
const lang = new URLSearchParams(location.search).get('lang') ?? undefined;
const said = document.getElementById('said')!;
const again = document.getElementById('again') as HTMLButtonElement;

// The page stays, wherever the customer would go.
for (const outcome of ['saved', 'contacted', 'canceled', 'unavailable']) {
  document.addEventListener(`retention-flow:${outcome}`, (event) => event.preventDefault());
}
addEventListener('hashchange', () => location.reload());
again.addEventListener('click', () => void restart());
void walk();

/** Shows where the preview is, and says how it ends. */
async function walk(): Promise<void> {
  const { show } = (await import(`${SERVICE}widget/v1.mjs`)) as typeof Widget;
  const result = await show({ sessionId, lang, colorScheme: 'auto' });
  said.textContent = sentenceOf(result);
  again.hidden = result.reason === 'session_not_found';
}

async function restart(): Promise<void> {
  again.hidden = true;
  said.textContent = '';
  const path = `api/v1/runtime/preview/${encodeURIComponent(sessionId)}/restart`;
  // If it fails, the walk says what is the matter.
  await fetch(SERVICE + path, { method: 'POST' }).catch(() => undefined);
  await walk();
}

function sentenceOf({ outcome, reason, acceptUrl }: Widget.Result): string {
  if (outcome === 'closed') return 'The customer closed the dialog. It opens again with their next click.';
  if (outcome === 'canceled') return 'The customer goes on to your cancellation page.';
  if (outcome === 'contacted')
    return acceptUrl
      ? `The customer has not decided yet, and goes on to ${acceptUrl}`
      : 'The customer has not decided yet.';
  if (outcome === 'saved') return acceptUrl ? `The customer stays, and goes on to ${acceptUrl}` : 'The customer stays.';
  if (reason === 'session_not_found') return 'This preview is gone. A preview lasts a day: ask for a new link.';
  if (reason === 'session_ended') return 'Somebody has walked through this preview to its end.';
  return 'The service does not answer.';
}
