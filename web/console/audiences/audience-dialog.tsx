import { type Audience, etagOf } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { Conditions, type When } from '../flows/edit/conditions';
import { firstCondition, NONE_SEEN } from '../flows/edit/model/condition-values';
import { useSession } from '../shell/session';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { text, useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import { toast } from '../ui/toast';
import { useConditionContext } from './use-condition-context';

interface AudienceDialogProps {
  /** Undefined: a new one. */
  audience: Audience | undefined;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

/** The name of an audience, and who is in it. */
export function AudienceDialog({ audience, onSaved, onClose }: AudienceDialogProps) {
  const { client } = useSession();
  const [when, setWhen] = useState<When>(audience?.when ?? { all: [firstCondition(NONE_SEEN)] });
  const context = useConditionContext();
  const form = useForm(async (fields) => {
    const sent = { name: text(fields, 'name'), when };
    if (audience) await client.audiences.update(audience.id, sent, { ifMatch: etagOf(audience) });
    else await client.audiences.create(sent);
    await onSaved();
    toast(`${sent.name} is saved.${audience ? ' Flows take it when they are published again.' : ''}`);
    onClose();
  });
  return (
    <Dialog title={audience ? `Change ${audience.name}` : 'New audience'} isHeld={form.isBusy} isWide onClose={onClose}>
      <form onSubmit={form.run} noValidate>
        <TextField
          name="name"
          label="Name"
          value={audience?.name}
          maxLength={200}
          required
          error={form.errorOf('name')}
          hint="What your team calls these customers."
        />
        <fieldset>
          <legend>Who is in it</legend>
          <Conditions context={context} when={when} name="the audience" onChange={setWhen} />
        </fieldset>
        <FormEnd form={form} fields={['name']} verb="Save" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
