import { etagOf, type Workspace } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { TextArea, TextField } from '../ui/field';
import { useForm } from '../ui/form';
import { toast } from '../ui/toast';
import { FormEnd } from '../ui/form-end';
import { limitDraftOf, limitOf } from '../offers/limit';
import { LimitFields } from '../offers/limit-fields';
import { PLACES } from './jurisdictions';
import { changes, lines, settingsOf } from './settings';

const FIELDS = [
  'name',
  'allowed_origins',
  'image_hosts',
  'jurisdictions',
  'require_customer_token',
  '/offer_limit/accepted',
  '/offer_limit/within_days',
  'ending_notice_days',
];

export function WorkspaceForm({ workspace, onSaved }: { workspace: Workspace; onSaved: () => Promise<void> }) {
  const { client } = useSession();
  // Not what is there now: what others change meanwhile is not changed back.
  const [before, setBefore] = useState(() => settingsOf(workspace));
  const [draft, setDraft] = useState(before);
  const [origins, setOrigins] = useState(() => workspace.allowed_origins.join('\n'));
  const [hosts, setHosts] = useState(() => workspace.image_hosts.join('\n'));
  const [limit, setLimit] = useState(() => limitDraftOf(workspace.offer_limit));
  const form = useForm(async () => {
    const after = { ...draft, allowed_origins: lines(origins), image_hosts: lines(hosts), offer_limit: limitOf(limit) };
    const changed = changes(before, after);
    // The service refuses a change of nothing.
    if (Object.keys(changed).length > 0) await client.workspace.update(changed, { ifMatch: etagOf(workspace) });
    setBefore(after);
    await onSaved();
    toast('The workspace is saved.');
  });
  const change = (changed: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...changed }));

  return (
    <form onSubmit={form.run} noValidate>
      <TextField
        name="name"
        label="Name"
        required
        maxLength={200}
        value={draft.name}
        error={form.errorOf('name')}
        onInput={(name) => change({ name })}
      />
      <TextArea
        name="allowed_origins"
        label="Pages that may start sessions"
        hint="Their origins, one a line, such as https://acme.example. Empty: pages of every origin."
        rows={3}
        value={origins}
        error={form.errorOf('allowed_origins')}
        onInput={setOrigins}
      />
      <TextArea
        name="image_hosts"
        label="Hosts of pictures"
        hint="Where pictures of pages and offers may be, one a line, such as cdn.acme.example. Pictures that you upload need none."
        rows={2}
        value={hosts}
        error={form.errorOf('image_hosts')}
        onInput={setHosts}
      />
      <fieldset id="jurisdictions" aria-describedby="jurisdictions-about">
        <legend>Where customers live</legend>
        <div class="places">
          {PLACES.map(([code, name]) => (
            <label key={code} class="check">
              <input
                type="checkbox"
                checked={draft.jurisdictions.includes(code)}
                onChange={({ currentTarget: { checked } }) => {
                  const others = draft.jurisdictions.filter((one) => one !== code);
                  change({ jurisdictions: checked ? [...others, code] : others });
                }}
              />
              {name}
            </label>
          ))}
        </div>
        <p id="jurisdictions-about" class="hint">
          Flows are reviewed by what laws there say about cancelling. Hints, and no legal advice.
        </p>
      </fieldset>
      <div>
        <label class="check">
          <input
            id="require_customer_token"
            type="checkbox"
            checked={draft.require_customer_token}
            aria-describedby="require_customer_token-about"
            onChange={(event) => change({ require_customer_token: event.currentTarget.checked })}
          />
          Require signed customers
        </label>
        <p id="require_customer_token-about" class="hint">
          A session then starts only with a customer token, which your backend signs with a customer key. Customers on
          pages without one go to the cancellation page at once. Create a customer key first.
        </p>
      </div>
      <LimitFields
        name="offer_limit"
        label="Offers per customer"
        hint="Who has accepted that many offers, whichever they are, sees no other one. Empty: as many as the offers allow."
        limit={limit}
        errorOf={form.errorOf}
        onInput={setLimit}
      />
      <TextField
        name="ending_notice_days"
        type="number"
        label="Days before an offer ends"
        hint="So many days before a discount, a pause or an extension ends, the event “offer.ending” tells it, also by mail. Empty: never."
        min={1}
        max={30}
        value={String(draft.ending_notice_days ?? '')}
        error={form.errorOf('ending_notice_days')}
        onInput={(days) => change({ ending_notice_days: days === '' ? null : Number(days) })}
      />
      <FormEnd form={form} fields={FIELDS} verb="Save" />
    </form>
  );
}
