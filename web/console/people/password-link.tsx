import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Created } from '../ui/created';
import { Dialog } from '../ui/dialog';
import { useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import type { AboutPerson } from './change-role';

/** Makes a link with which a person sets a new password. If the service sends no mail, shows it this once. */
export function PasswordLink({ person: { id, name, email }, onClose }: AboutPerson) {
  const { client } = useSession();
  /** null: it was mailed. */
  const [link, setLink] = useState<string | null>();
  const form = useForm(async () => setLink((await client.people.createPasswordLink(id)).link));
  if (link !== undefined) {
    return (
      <Created title={`A link for ${name}`} label={email} secret={link} onClose={onClose}>
        {link === null
          ? `We sent it to ${email}. It works once, within 24 hours, and nobody else has it.`
          : `Copy it now, and send it to nobody else: whoever has it can sign in as ${name}. It works once, within 24 hours.`}
      </Created>
    );
  }
  return (
    <Dialog title={`A new password for ${name}?`} onClose={onClose}>
      <form onSubmit={form.run}>
        <p>
          {name} chooses a new password with a link. If the service sends mails, it goes to {email}; otherwise you get
          it and pass it on. The old password works until then.
        </p>
        <FormEnd form={form} fields={[]} verb="Make a link" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
