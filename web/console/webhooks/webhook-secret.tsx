import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { Select } from '../ui/field';
import { Secret } from '../ui/secret';

/** How long the old secret signs, too. */
const SPANS: [seconds: string, name: string][] = [
  ['86400', 'for a day'],
  ['3600', 'for an hour'],
  ['604800', 'for a week'],
  ['0', 'no longer'],
];

/** The secret can only be replaced: nobody can read it again. */
export function WebhookSecret({ id }: { id: string }) {
  const { client } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  const [span, setSpan] = useState(SPANS[0][0]);
  const [rotated, setRotated] = useState<{ secret: string; span: string }>();
  const rotate = async () => {
    const { secret } = await client.webhooks.rotateSecret(id, { previous_valid_for_seconds: Number(span) });
    setRotated({ secret, span });
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>Secret</h2>
        <button type="button" class="quiet small" onClick={() => setIsAsking(true)}>
          Replace secret
        </button>
      </div>
      <div role="status" class="webhook-secret">
        {rotated ? (
          <>
            <p>Copy the new secret now: it is shown only this once. {validityOf(rotated.span)}</p>
            <Secret label="New secret" value={rotated.secret} />
          </>
        ) : (
          <p class="soft">
            It signs what is sent, and was shown when the webhook was created. If it is lost or known to others, replace
            it.
          </p>
        )}
      </div>
      {isAsking && (
        <Confirm
          title="Replace the secret?"
          verb="Replace"
          isDangerous={span === '0'}
          onConfirm={rotate}
          onClose={() => setIsAsking(false)}
        >
          <p>The new secret is shown once. A secret that was replaced before this one ends at once.</p>
          <Select
            name="previous_valid_for_seconds"
            label="The old secret signs"
            options={SPANS}
            value={span}
            hint={
              span === '0'
                ? 'Your endpoint refuses what it gets until it has the new secret.'
                : 'Meanwhile both secrets sign, so your endpoint can change over at any moment.'
            }
            onInput={setSpan}
          />
        </Confirm>
      )}
    </section>
  );
}

function validityOf(span: string): string {
  if (span === '0') return 'The old one does not sign any more.';
  return `The old one signs, too, ${SPANS.find(([seconds]) => seconds === span)![1]}.`;
}
