import type { CreatedCustomerKey } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Dialog } from '../ui/dialog';
import { Select, TextArea, TextField } from '../ui/field';
import { text, useForm } from '../ui/form';
import { Created } from '../ui/created';
import { FormEnd } from '../ui/form-end';
import { publicKeyIn } from './public-key';

const ALGORITHMS: [string, string][] = [
  ['HS256', 'HS256: a secret that the service makes'],
  ['EdDSA', 'EdDSA: a key pair of your own'],
];

export function NewCustomerKey({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const { client } = useSession();
  const [algorithm, setAlgorithm] = useState('HS256');
  const [created, setCreated] = useState<CreatedCustomerKey>();
  const form = useForm(async (fields) => {
    const name = text(fields, 'name');
    setCreated(
      await client.customerKeys.create(
        algorithm === 'EdDSA'
          ? { name, algorithm: 'EdDSA', public_key: publicKeyIn(text(fields, 'public_key')) }
          : { name, algorithm: 'HS256' },
      ),
    );
    onCreated();
  });
  if (created) {
    return (
      <Created title="The customer key is created" label={created.name} secret={created.secret} onClose={onClose}>
        {created.secret !== null && 'Copy the secret now, and keep it on your servers. It is not shown again. '}
        Tokens name the key by its ID, <code>{created.id}</code>, as their <code>kid</code>.
      </Created>
    );
  }
  return (
    <Dialog title="New customer key" isHeld={form.isBusy} onClose={onClose}>
      <form onSubmit={form.run} noValidate>
        <TextField
          name="name"
          id="key-name"
          label="Name of the key"
          hint="What signs with it, such as your account pages."
          maxLength={200}
          error={form.errorOf('name')}
        />
        <Select
          name="algorithm"
          label="Algorithm"
          options={ALGORITHMS}
          value={algorithm}
          error={form.errorOf('algorithm')}
          onInput={setAlgorithm}
        />
        {algorithm === 'EdDSA' && (
          <TextArea
            name="public_key"
            label="Public key"
            hint={'An Ed25519 key as a JWK, such as {"kty":"OKP","crv":"Ed25519","x":"…"}. A private part is not sent.'}
            rows={4}
            error={form.errorOf('public_key')}
          />
        )}
        <FormEnd form={form} fields={['name', 'algorithm', 'public_key']} verb="Create" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
