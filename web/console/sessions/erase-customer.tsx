import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { counted } from '../ui/format';
import { messageOf } from '../ui/problem';
import { toast } from '../ui/toast';

interface EraseCustomerProps {
  customerId: string;
  onErased: () => unknown;
  onClose: () => void;
}

/** Asks for the customer's id before it erases the customer, which cannot be undone. */
export function EraseCustomer({ customerId, onErased, onClose }: EraseCustomerProps) {
  const { client } = useSession();
  const [typed, setTyped] = useState('');
  const erase = useAction(async () => {
    const { sessions } = await client.customers.erase(customerId);
    toast(`The customer is erased from ${counted(sessions, 'session')}`);
    onClose();
    onErased();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    if (typed === customerId) erase.run();
  };
  return (
    <Dialog title="Erase this customer" isHeld={erase.isBusy} onClose={onClose}>
      <form onSubmit={submit}>
        <div class="dialog-body">
          <p>
            The id, e-mail, attributes and comments of <code>{customerId}</code> are removed from all their sessions.
            This cannot be undone.
          </p>
          <p>The sessions, their answers and the statistics stay. What webhooks were sent before stays with them.</p>
        </div>
        <TextField name="typed" label="Type the customer id to confirm" value={typed} onInput={setTyped} />
        <div role="alert">{erase.error !== undefined && <p class="notice error">{messageOf(erase.error)}</p>}</div>
        <div class="actions">
          <button type="button" class="quiet" disabled={erase.isBusy} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger" disabled={erase.isBusy || typed !== customerId}>
            Erase
          </button>
        </div>
      </form>
    </Dialog>
  );
}
