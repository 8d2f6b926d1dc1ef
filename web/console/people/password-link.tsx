import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Created } from '../ui/created';
import { Dialog } from '../ui/dialog';
import { useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import type { AboutPerson } from './change-role';

/** Makes a link with which a person sets a new password, and shows it this once. */
export function PasswordLink({ person: { id, name, email }, onClose }: AboutPerson) {
  const { client } = useSession();
  const [link, setLink] = useState<string>();
  const form = useForm(async () => setLink((await client.people.createPasswordLink(id)).link));
  if (link !== undefined) {
    return (
      <Created title={`A link for ${name}`} label={email} secret={link} onClose={onClose}>
        Copy it now, and send it to nobody else: whoever has it can sign in as {name}. It works once, within 24 hours.
      </Created>
    );
  }
  return (
    <Dialog title={`A new password for ${name}?`} onClose={onClose}>
      <form onSubmit={form.run}>
        <p>You get a link, with which {name} chooses a new password. The old one works until then.</p>
        <FormEnd form={form} fields={[]} verb="Make a link" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
