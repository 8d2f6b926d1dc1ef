import { etagOf, type Flow } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { href } from '../shell/route';
import { SERVICE, useSession } from '../shell/session';
import { Dialog } from '../ui/dialog';
import { Select, TextField } from '../ui/field';
import { text, useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import { Secret } from '../ui/secret';
import { toast } from '../ui/toast';

type Kinds = NonNullable<NonNullable<Flow['exit']>['kinds']>;

const KINDS: Record<string, Kinds> = {
  termination: ['termination'],
  withdrawal: ['withdrawal'],
  both: ['termination', 'withdrawal'],
};

/** The page on which customers leave without a session, as laws ask for it. */
export function ExitCard({ flow, onChanged }: { flow: Flow; onChanged: () => Promise<void> }) {
  const { mayWrite } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const isEnabled = flow.exit?.enabled === true;
  return (
    <section class="card snippet" aria-labelledby="exit">
      <div class="card-head">
        <h2 id="exit">Exit page</h2>
        {mayWrite && (
          <button type="button" class="quiet" onClick={() => setIsOpen(true)}>
            {isEnabled ? 'Settings of the exit page' : 'Open an exit page'}
          </button>
        )}
      </div>
      <p class="soft">
        {isEnabled
          ? 'Let your cancellation button lead there. Customers declare without a session, an offer or a limit, and get a receipt.'
          : 'A page without offers, on which customers declare that they leave and get a receipt. Some countries require one.'}{' '}
        <a href={href('/declarations', { flow_id: flow.id })}>Declarations</a>
      </p>
      {isEnabled && <Secret label="Address of the exit page" value={`${SERVICE}/exit/${flow.slug}`} />}
      {isOpen && <ExitDialog flow={flow} onChanged={onChanged} onClose={() => setIsOpen(false)} />}
    </section>
  );
}

interface ExitDialogProps {
  flow: Flow;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

function ExitDialog({ flow, onChanged, onClose }: ExitDialogProps) {
  const { client } = useSession();
  const { exit } = flow;
  const form = useForm(async (fields) => {
    const changed = {
      enabled: text(fields, 'enabled') === 'true',
      kinds: KINDS[text(fields, 'kinds')],
      recipient_email: text(fields, 'recipient_email') || null,
      confirmation_from: text(fields, 'confirmation_from') || null,
      session_receipts: text(fields, 'session_receipts') === 'true',
    };
    await client.flows.update(flow.id, { exit: changed }, { ifMatch: etagOf(flow) });
    toast('Saved.');
    await onChanged();
    onClose();
  });
  const kinds = exit?.kinds?.length === 2 ? 'both' : (exit?.kinds?.[0] ?? 'termination');
  return (
    <Dialog title="Exit page" isHeld={form.isBusy} onClose={onClose}>
      <form onSubmit={form.run}>
        <Select
          name="enabled"
          label="Page"
          options={[
            ['true', 'Open'],
            ['false', 'Closed'],
          ]}
          value={String(exit?.enabled ?? true)}
        />
        <Select
          name="kinds"
          label="What customers can declare"
          options={[
            ['termination', 'Termination'],
            ['withdrawal', 'Withdrawal'],
            ['both', 'Termination, and withdrawal'],
          ]}
          value={kinds}
        />
        <TextField
          name="recipient_email"
          label="Address of your team"
          hint="Gets a mail about each declaration. The page names it for the time when it can store nothing."
          value={exit?.recipient_email ?? ''}
          error={form.errorOf('/exit/recipient_email')}
        />
        <TextField
          name="confirmation_from"
          label="Sender of receipts"
          hint="Empty: the sender that the operator has set."
          value={exit?.confirmation_from ?? ''}
          error={form.errorOf('/exit/confirmation_from')}
        />
        <Select
          name="session_receipts"
          label="Receipts for sessions that customers cancel"
          hint="For customers whom your backend signed, with an e-mail address."
          options={[
            ['false', 'None'],
            ['true', 'By mail'],
          ]}
          value={String(exit?.session_receipts ?? false)}
        />
        <FormEnd
          form={form}
          fields={['/exit/recipient_email', '/exit/confirmation_from']}
          verb="Save"
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
