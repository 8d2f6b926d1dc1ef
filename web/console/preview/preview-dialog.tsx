import type { BillingConnection, Flow, Offer, RetentionFlow } from '@retention-flow/client';
import { useEffect, useState } from 'preact/hooks';
import { useAudiences } from '../flows/use-audiences';
import { languageName } from '../flows/languages/names';
import { SERVICE, useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { Dialog } from '../ui/dialog';
import { Select, TextField } from '../ui/field';
import { useLoading } from '../ui/loading';
import { messageOf } from '../ui/problem';
import { Secret } from '../ui/secret';
import { choicesIn, factOf, languagesOf, offersIn, valueOf } from './choices';
import { NONE, subscriptionOf } from './subscription';
import { FactField } from './fact-field';
import { SubscriptionFields, useConnection } from './subscription-fields';

interface PreviewDialogProps {
  flowId: string;
  /** What is walked through: that of the current version, or of the draft. */
  definition: Flow['definition'];
  isDraft?: boolean;
  /** The language to begin in; without it, the flow's. */
  locale?: string;
  onClose: () => void;
}

const WIDTHS = [
  ['phone', 'Phone, 360 px'],
  ['wide', 'Wide'],
] as const;

/** Walks through a flow as somebody, in a frame as wide as their screen, and gives a link to show it to others. */
export function PreviewDialog({
  flowId,
  definition,
  isDraft = false,
  locale: first = '',
  onClose,
}: PreviewDialogProps) {
  const { client } = useSession();
  const offers = useLoading(
    (signal) => Promise.all(offersIn(definition).map((id) => client.offers.get(id, { signal }))),
    [flowId],
  );
  const languages = languagesOf(definition, offers.value ?? [], first);
  const { attributes, facts, splits } = choicesIn(definition, offers.value ?? [], useAudiences());
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [typedFacts, setTypedFacts] = useState<Record<string, string>>({});
  const [arm, setArm] = useState<Record<string, string>>({});
  const [locale, setLocale] = useState(first);
  const [width, setWidth] = useState('wide');
  const connection = useConnection();
  const [chosen, setChosen] = useState(NONE);
  const [effects, setEffects] = useState<Effects>();
  const [link, setLink] = useState<string>();
  const begin = useAction(async () => {
    const values = [...attributes].flatMap(([name, known]) => {
      const value = valueOf(typed[name] ?? '', known);
      return value === undefined ? [] : [[name, value] as const];
    });
    const known = [...facts.keys()].flatMap((fact) => {
      const value = factOf(fact, typedFacts[fact] ?? '');
      return value === undefined ? [] : [[fact, value] as const];
    });
    const subscription = subscriptionOf(chosen);
    const { session_id, effects } = await client.flows.preview(flowId, {
      draft: isDraft,
      ...(locale && { locale }),
      customer: {
        attributes: Object.fromEntries(values),
        ...(known.length > 0 && { facts: Object.fromEntries(known) }),
        ...(subscription && { subscription }),
      },
      arm: Object.fromEntries(Object.entries(arm).filter(([, name]) => name !== '')),
    });
    setEffects(effects);
    setLink(`${SERVICE}/preview${locale && `?lang=${locale}`}#${session_id}`);
  });
  useEffect(() => begin.run(), []);

  return (
    <Dialog title={isDraft ? 'Preview of the draft' : 'Preview'} isWide hasClose onClose={onClose}>
      {isDraft && <p class="soft">Offers are shown as they are live, without their drafts.</p>}
      <form
        class="preview-choices"
        onSubmit={(event) => {
          event.preventDefault();
          begin.run();
        }}
      >
        <Select
          name="locale"
          label="Language"
          options={[['', 'That of the flow'], ...languages.map((tag) => [tag, languageName(tag)] as const)]}
          value={locale}
          onInput={setLocale}
        />
        <SubscriptionFields connection={connection} chosen={chosen} onChange={setChosen} />
        {[...facts].map(([fact, known]) => (
          <FactField
            key={fact}
            fact={fact}
            known={known}
            offers={offers.value ?? []}
            value={typedFacts[fact] ?? ''}
            onInput={(value) => setTypedFacts((before) => ({ ...before, [fact]: value }))}
          />
        ))}
        {[...attributes].map(([name, known]) => (
          <TextField
            key={name}
            name={`attribute-${name}`}
            label={name}
            placeholder={known.length > 0 ? `such as ${known.join(', ')}` : undefined}
            value={typed[name] ?? ''}
            onInput={(value) => setTyped((before) => ({ ...before, [name]: value }))}
          />
        ))}
        {[...splits].map(([key, names]) => (
          <Select
            key={key}
            name={`arm-${key}`}
            label={`Arm of ${key}`}
            options={[['', 'By chance'], ...names.map((name) => [name, name] as const)]}
            value={arm[key] ?? ''}
            onInput={(name) => setArm((before) => ({ ...before, [key]: name }))}
          />
        ))}
        <button type="submit" class="quiet" disabled={begin.isBusy}>
          Walk as this customer
        </button>
      </form>
      <div role="alert">{begin.error !== undefined && <p class="notice error">{messageOf(begin.error)}</p>}</div>
      {link && (
        <>
          {effects && connection && (
            <EffectList effects={effects} offers={offers.value ?? []} connection={connection} />
          )}
          <div class="actions">
            {WIDTHS.map(([one, label]) => (
              <button
                key={one}
                type="button"
                class="quiet small"
                aria-pressed={width === one}
                onClick={() => setWidth(one)}
              >
                {label}
              </button>
            ))}
          </div>
          {/* Another frame for another preview: one that is led elsewhere adds to what "Back" goes through. */}
          <iframe
            key={link}
            // Keys go to what the customer sees.
            onLoad={(event) => event.currentTarget.focus()}
            class={`preview-frame ${width}`}
            title="What the customer sees"
            src={link}
          />
          <Secret label="Link for a colleague. It works for a day, without signing in." value={link} />
        </>
      )}
    </Dialog>
  );
}

type Effects = NonNullable<Awaited<ReturnType<RetentionFlow['flows']['preview']>>['effects']>;

interface EffectListProps {
  effects: Effects;
  /** Those of the flow. */
  offers: Offer[];
  connection: BillingConnection;
}

/** What would happen to the subscription, for each offer and for leaving. */
function EffectList({ effects, offers, connection }: EffectListProps) {
  const nameOf = (id: string | null) =>
    id === null ? 'If the customer leaves' : (offers.find((offer) => offer.id === id)?.name ?? 'An offer');
  return (
    <section class="effects" aria-label="What would happen">
      <h3>What would happen to this subscription</h3>
      <dl>
        {effects.map(({ offer_id, is_shown, text }) => (
          <div key={offer_id} class={is_shown ? '' : 'soft'}>
            <dt>{nameOf(offer_id)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {connection.mode === 'dry_run' && (
        <p class="hint">Your connection to Stripe is a dry run, so nothing of this is carried out yet.</p>
      )}
    </section>
  );
}
