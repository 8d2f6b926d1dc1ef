import type { Audience } from '@retention-flow/client';
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

interface SegmentDialogProps {
  audiences: Audience[];
  /** The conditions of now, as JSON. */
  where: string | undefined;
  onChosen: (segment: { where?: string; audience?: string }) => void;
  onClose: () => void;
}

/** Conditions for the customers that a page is about, which may become an audience. */
export function SegmentDialog({ audiences, where, onChosen, onClose }: SegmentDialogProps) {
  const { client, mayWrite } = useSession();
  const [when, setWhen] = useState<When>(() => whenOf(where));
  const context = useConditionContext(audiences);
  const form = useForm(async (fields) => {
    const name = text(fields, 'name');
    if (name === '') onChosen({ where: JSON.stringify(when) });
    else {
      const { id } = await client.audiences.create({ name, when });
      toast(`${name} is saved.`);
      onChosen({ audience: id });
    }
    onClose();
  });
  return (
    <Dialog title="Customers by conditions" isHeld={form.isBusy} isWide onClose={onClose}>
      <form onSubmit={form.run} noValidate>
        <fieldset>
          <legend>Only customers for whom</legend>
          <Conditions context={context} when={when} name="the customers" onChange={setWhen} />
        </fieldset>
        {mayWrite && (
          <TextField
            name="name"
            label="Save as an audience"
            maxLength={200}
            error={form.errorOf('name')}
            hint="A name to find these customers by again. Empty: they are only shown now."
          />
        )}
        <FormEnd form={form} fields={['name']} verb="Show" onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** What an address says may be no conditions: the service refuses it, and one begins anew. */
function whenOf(where: string | undefined): When {
  try {
    const when = JSON.parse(where ?? '') as Partial<Record<'all' | 'any', unknown>>;
    if (Array.isArray(when.all ?? when.any)) return when as When;
  } catch {
    // The same.
  }
  return { all: [firstCondition(NONE_SEEN)] };
}
