import type { CreatedApiKey } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Dialog } from '../ui/dialog';
import { Select, TextField } from '../ui/field';
import { text, useForm } from '../ui/form';
import { expiryAfter } from './api-key';
import { Created } from '../ui/created';
import { FormEnd } from '../ui/form-end';

const ACCESS: [string, string][] = [
  ['read', 'Read only'],
  ['write', 'Read and change'],
];

export function NewApiKey({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const { client } = useSession();
  const [created, setCreated] = useState<CreatedApiKey>();
  const form = useForm(async (fields) => {
    const expires_at = expiryAfter(text(fields, 'expires_at'));
    setCreated(
      await client.apiKeys.create({
        name: text(fields, 'name'),
        access: text(fields, 'access') as 'read' | 'write',
        ...(expires_at && { expires_at }),
      }),
    );
    onCreated();
  });
  if (created) {
    return (
      <Created title="The API key is created" label={created.name} secret={created.key} onClose={onClose}>
        Copy it now, and keep it where no page has it. It is not shown again.
      </Created>
    );
  }
  return (
    <Dialog title="New API key" isHeld={form.isBusy} onClose={onClose}>
      <form onSubmit={form.run} noValidate>
        <TextField
          name="name"
          id="key-name"
          label="Name of the key"
          hint="What the key is for, or who has it."
          maxLength={200}
          error={form.errorOf('name')}
        />
        <Select
          name="access"
          label="Access"
          hint="A key that may only read is enough to look around."
          options={ACCESS}
          error={form.errorOf('access')}
        />
        <TextField
          name="expires_at"
          label="Last day"
          type="date"
          hint="Until its end, in UTC, the key works. Empty: it never expires."
          error={form.errorOf('expires_at')}
        />
        <FormEnd form={form} fields={['name', 'access', 'expires_at']} verb="Create" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
