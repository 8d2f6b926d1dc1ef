import { useState } from 'preact/hooks';
import { Created } from '../ui/created';
import { FormEnd } from '../ui/form-end';
import { useSession } from '../shell/session';
import { Dialog } from '../ui/dialog';
import { Select, TextField } from '../ui/field';
import { text, useForm } from '../ui/form';
import { type Role, ROLES } from './roles';

/** Invites a person, and shows the link this once. */
export function Invite({ onInvited, onClose }: { onInvited: () => void; onClose: () => void }) {
  const { client } = useSession();
  const [created, setCreated] = useState<{ email: string; link: string }>();
  const form = useForm(async (fields) => {
    setCreated(await client.invitations.create({ email: text(fields, 'email'), role: text(fields, 'role') as Role }));
    onInvited();
  });
  if (created) {
    return (
      <Created title="The invitation is ready" label={created.email} secret={created.link} onClose={onClose}>
        Copy the link now, and send it to the person and nobody else. It works once, within 7 days, and is not shown
        again.
      </Created>
    );
  }
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <form onSubmit={form.run} noValidate>
        <TextField
          name="email"
          label="E-mail"
          type="email"
          hint="Another invitation of the same address replaces the first."
          error={form.errorOf('email')}
        />
        <Select name="role" label="Role" options={ROLES} value="editor" error={form.errorOf('role')} />
        <FormEnd form={form} fields={['email', 'role']} verb="Invite" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
