import { useState } from 'preact/hooks';
import { Created } from '../ui/created';
import { FormEnd } from '../ui/form-end';
import { useSession } from '../shell/session';
import { Dialog } from '../ui/dialog';
import { Select, TextField } from '../ui/field';
import { text, useForm } from '../ui/form';
import { type Role, ROLES } from './roles';

interface Made {
  email: string;
  /** null if only the mail has it. */
  link: string | null;
}

/** The address of a mail with the link, in the mail program of whoever invites. */
function mailWith(email: string, link: string, workspace: string): string {
  const subject = `Join ${workspace} in Retention Flow`;
  const body = `You are invited to ${workspace}. This link works once, within 7 days:\n\n${link}\n`;
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

/** Invites a person. If the service sends no mail, shows the link this once. */
export function Invite({ onInvited, onClose }: { onInvited: () => void; onClose: () => void }) {
  const { client, workspace } = useSession();
  const [created, setCreated] = useState<Made>();
  const form = useForm(async (fields) => {
    setCreated(await client.invitations.create({ email: text(fields, 'email'), role: text(fields, 'role') as Role }));
    onInvited();
  });
  if (created) {
    const { email, link } = created;
    return (
      <Created
        title={link === null ? 'The invitation is sent' : 'The invitation is ready'}
        label={email}
        secret={link}
        onClose={onClose}
      >
        {link === null ? (
          `We sent the invitation to ${email}. Its link works once, within 7 days, and nobody else has it.`
        ) : (
          <>
            Copy the link now, or <a href={mailWith(email, link, workspace.name)}>send it by mail</a>, and give it to
            nobody else. It works once, within 7 days, and is not shown again.
          </>
        )}
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
