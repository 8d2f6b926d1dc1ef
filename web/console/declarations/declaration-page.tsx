import type { Answer } from '@retention-flow/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { PageProps } from '../shell/pages';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { Confirm } from '../ui/dialog';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { Problem } from '../ui/problem';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';
import { declarationIn, dueIn } from './declared';

/** A declaration with its evidence. */
export function DeclarationPage({ params: { id } }: PageProps) {
  const { client, isOwner, mayWrite } = useSession();
  const [isErasing, setIsErasing] = useState(false);
  const loading = useLoading((signal) => client.declarations.get(id, { signal }), [id]);
  const declaration = loading.value;
  const erase = async () => {
    await client.declarations.erase(id);
    toast('Name, e-mail address and reason are erased.');
    await loading.reload();
  };
  const change = useAction(async (done: boolean) => {
    await client.declarations.change(id, { done });
    toast(done ? 'The declaration is done.' : 'The declaration is open again.');
    await loading.reload();
  });
  const isDone = declaration?.done_at != null;
  return (
    <Page
      title={declaration ? `Declaration ${declaration.number}` : 'Declaration'}
      above={{ href: href('/declarations'), name: 'Declarations' }}
      actions={
        declaration && (
          <>
            {isOwner && declaration.erased_at === null && (
              <button type="button" class="quiet" onClick={() => setIsErasing(true)}>
                Erase …
              </button>
            )}
            {mayWrite && (
              <button
                type="button"
                class={isDone ? 'quiet' : 'primary'}
                disabled={change.isBusy}
                onClick={() => change.run(!isDone)}
              >
                {isDone ? 'Not done yet' : 'Mark as done'}
              </button>
            )}
          </>
        )
      }
    >
      {change.error !== undefined && <Problem error={change.error} />}
      <Loaded loading={loading}>
        {(shown) => (
          <>
            <section class="card" aria-labelledby="declared">
              <h2 id="declared">What was declared</h2>
              <dl class="facts">
                {factsOf(shown).map(([name, text]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd dir="auto">{text}</dd>
                  </div>
                ))}
              </dl>
              <p class="soft">
                <a href={href(`/flows/${shown.flow_id}`)}>Flow</a>, version {shown.flow_version}. Anybody can fill in
                the page: check who it is before you act on it.
              </p>
            </section>
            <section class="card" aria-labelledby="shown">
              <h2 id="shown">What the page said</h2>
              {shown.shown === null ? <p>It came from a page of your own.</p> : <pre dir="auto">{shown.shown}</pre>}
            </section>
          </>
        )}
      </Loaded>
      {isErasing && (
        <Confirm
          title="Erase who declared this?"
          verb="Erase"
          isDangerous
          onConfirm={erase}
          onClose={() => setIsErasing(false)}
        >
          <p>
            Name, e-mail address and reason go, and the link to the receipt. Number, contract and time stay as evidence.
          </p>
        </Confirm>
      )}
    </Page>
  );
}

/** What is known of a declaration, by its name. */
function factsOf(shown: Answer<'declarations_get'>): [name: string, text: ComponentChildren][] {
  return [
    ['Due', dueIn(shown)],
    ['Done', shown.done_at === null ? 'not yet' : <Time value={shown.done_at} />],
    ['Confirmed', shown.confirmed_at === null ? 'not by mail' : <Time value={shown.confirmed_at} />],
    ['Received', <Time value={shown.declared_at} />],
    ['Declaration', declarationIn(shown)],
    ['Contract', shown.contract],
    ['Customer', shown.name ?? 'erased'],
    ['E-mail address', shown.email ?? 'erased'],
    ['Reason', shown.reason ?? '–'],
    ['Receipt by mail', shown.receipt ?? 'none'],
    ['Told', shown.team_email ?? 'nobody'],
  ];
}
