import type { Workspace } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { Created } from '../ui/created';
import { Select } from '../ui/field';
import { text, useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import { messageOf } from '../ui/problem';
import { toast } from '../ui/toast';

/** Of a live workspace, the way to one for tests; of a test workspace, its time. */
export function TestWorkspace({ workspace, onPassed }: { workspace: Workspace; onPassed: () => Promise<void> }) {
  return workspace.test ? <Time onPassed={onPassed} /> : <NewTestWorkspace />;
}

function NewTestWorkspace() {
  const { client, refresh, actor } = useSession();
  const [made, setMade] = useState<{ name: string; key: string }>();
  const making = useAction(async () => {
    const { name, api_key } = await client.workspace.createTest();
    setMade({ name, key: api_key.key });
  });
  const close = () => {
    setMade(undefined);
    if (actor.type === 'person') void refresh();
  };
  return (
    <section class="card" aria-labelledby="test-heading">
      <h2 id="test-heading">Test workspace</h2>
      <p>
        A copy of this workspace to try things in: its flows, offers and settings, without its webhooks, billing and
        people. Nothing in it counts here, and you can let time pass in it.
      </p>
      <div role="alert">{making.error !== undefined && <p class="notice error">{messageOf(making.error)}</p>}</div>
      <div class="actions">
        <button type="button" class="quiet" disabled={making.isBusy} onClick={() => making.run()}>
          Make a test workspace
        </button>
      </div>
      {made && (
        <Created title="The test workspace is made" label={`API key of ${made.name}`} secret={made.key} onClose={close}>
          {actor.type === 'person' && 'You find it in the list of workspaces at the top of the menu. '}
          Programs reach it with this key, and so do you when you sign in with it. It is not shown again.
        </Created>
      )}
    </section>
  );
}

const SPANS: [string, string][] = [
  ['PT25H', '25 hours: sessions that are open are abandoned'],
  ['P7D', '7 days'],
  ['P31D', '31 days'],
  ['P91D', '91 days'],
  ['P366D', '366 days'],
];

function Time({ onPassed }: { onPassed: () => Promise<void> }) {
  const { client } = useSession();
  const form = useForm(async (fields) => {
    await client.workspace.passTime({ pass: text(fields, 'pass') });
    toast('The time has passed.');
    await onPassed();
  });
  return (
    <section class="card" aria-labelledby="time-heading">
      <h2 id="time-heading">Time</h2>
      <p>
        This is a test workspace. When you let time pass, everything in it becomes that much older: sessions are
        abandoned, offers end, and numbers move to earlier days. There is no way back.
      </p>
      <form onSubmit={form.run} noValidate>
        <Select name="pass" label="How much" options={SPANS} error={form.errorOf('pass')} />
        <FormEnd form={form} fields={['pass']} verb="Let it pass" />
      </form>
    </section>
  );
}
