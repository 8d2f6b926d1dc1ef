import type { Person } from '@retention-flow/client';
import { useSession } from '../shell/session';
import { Dialog } from '../ui/dialog';
import { Select } from '../ui/field';
import { text, useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import { toast } from '../ui/toast';
import { type Role, ROLES } from './roles';

/** What a dialog about a person gets. */
export interface AboutPerson {
  person: Person;
  onChanged: () => void;
  onClose: () => void;
}

export function ChangeRole({ person: { id, name, role }, onChanged, onClose }: AboutPerson) {
  const { client, actor, refresh } = useSession();
  const form = useForm(async (fields) => {
    const role = text(fields, 'role') as Role;
    await client.people.update(id, { role });
    toast(`${name} is ${role} now.`);
    onClose();
    // One may have less to say from now on.
    if (id === actor.id) await refresh();
    onChanged();
  });
  return (
    <Dialog title={`What may ${name} do?`} onClose={onClose}>
      <form onSubmit={form.run} noValidate>
        <Select name="role" label="Role" options={ROLES} value={role} error={form.errorOf('role')} />
        <FormEnd form={form} fields={['role']} verb="Change" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
