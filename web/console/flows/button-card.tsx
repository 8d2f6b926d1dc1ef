import { etagOf, type Flow } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Select, TextField } from '../ui/field';
import { text, useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import { toast } from '../ui/toast';

const TARGETS = [
  ['widget', 'To this flow, as the snippet above does'],
  ['exit', 'Straight to the exit page'],
  ['own', 'To a page of our own'],
] as const;

/** Where the cancel button of the team's page leads, which the service does not see. */
export function ButtonCard({ flow, onChanged }: { flow: Flow; onChanged: () => Promise<void> }) {
  const { client, mayWrite } = useSession();
  const stored = flow.install?.button_leads_to ?? 'widget';
  const isOwn = stored !== 'widget' && stored !== 'exit';
  const [target, setTarget] = useState<string>(isOwn ? 'own' : stored);
  const form = useForm(async (fields) => {
    const button_leads_to = target === 'own' ? text(fields, 'button_leads_to') : target;
    await client.flows.update(flow.id, { install: { button_leads_to } }, { ifMatch: etagOf(flow) });
    toast('Saved.');
    await onChanged();
  });
  return (
    <section class="card snippet" aria-labelledby="button">
      <h2 id="button">Where your button leads</h2>
      <form onSubmit={form.run}>
        <Select
          name="target"
          label="The cancel button of your page leads"
          hint="The service does not see your page. The review by law goes by what you say here."
          options={[...TARGETS]}
          value={target}
          onInput={setTarget}
        />
        {target === 'own' && (
          <TextField
            name="button_leads_to"
            label="Address of that page"
            value={isOwn ? stored : ''}
            error={form.errorOf('/install/button_leads_to')}
          />
        )}
        {mayWrite && <FormEnd form={form} fields={['/install/button_leads_to']} verb="Save" />}
      </form>
    </section>
  );
}
