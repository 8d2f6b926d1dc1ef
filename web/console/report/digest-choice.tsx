import type { Person } from '@retention-flow/client';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { Select } from '../ui/field';
import { Loaded, useLoading } from '../ui/loading';
import { messageOf } from '../ui/problem';
import { toast } from '../ui/toast';

const CHOICES: [value: NonNullable<Person['digest']> | '', label: string][] = [
  ['', 'never'],
  ['weekly', 'each Monday, the week before'],
  ['monthly', 'on the first, the month before'],
];

/** Whether whoever looks gets the report by mail. An API key has no address. */
export function DigestChoice() {
  const { actor } = useSession();
  return actor.type === 'person' && actor.id !== null ? <Choice id={actor.id} /> : null;
}

function Choice({ id }: { id: string }) {
  const { client } = useSession();
  const own = useLoading(
    async (signal) => {
      for (let cursor: string | undefined; ;) {
        const { people, next_cursor } = await client.people.list({ limit: 500, cursor }, { signal });
        const person = people.find((one) => one.id === id);
        if (person || next_cursor === null) return person;
        cursor = next_cursor;
      }
    },
    [id],
  );
  const choosing = useAction(async (chosen: string) => {
    const digest = chosen === '' ? null : (chosen as NonNullable<Person['digest']>);
    await client.people.update(id, { digest });
    toast(digest === null ? 'You get no report by mail.' : 'You get the report by mail.');
    await own.reload();
  });
  return (
    <section class="card not-printed" aria-labelledby="digest-title">
      <h2 id="digest-title">By mail</h2>
      <Loaded loading={own}>
        {(person) =>
          person && (
            <fieldset class="filters" disabled={choosing.isBusy}>
              <Select
                // Made anew after a failure: it shows what is stored.
                key={String(choosing.error)}
                name="digest"
                label={`To ${person.email}`}
                options={CHOICES}
                value={person.digest ?? ''}
                error={choosing.error === undefined ? undefined : messageOf(choosing.error)}
                hint="If your operator has set up mail."
                onInput={choosing.run}
              />
            </fieldset>
          )
        }
      </Loaded>
    </section>
  );
}
