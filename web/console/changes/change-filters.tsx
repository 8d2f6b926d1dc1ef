import type { Change } from '@retention-flow/client';
import { replace } from '../shell/route';
import { useSession } from '../shell/session';
import { named, Select, TextField } from '../ui/field';
import { isWhole } from '../ui/filters';
import { useLoading } from '../ui/loading';

export const FILTERS = ['actor', 'subject', 'from'] as const;

export type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

interface ChangeFiltersProps {
  filters: Filters;
  /** The changes that are shown. */
  changes: Change[];
}

export function ChangeFilters({ filters, changes }: ChangeFiltersProps) {
  const actors = useActors() ?? new Map<string, string>();
  const subjects = new Map(changes.flatMap(({ subject }) => (subject.id ? [[subject.id, subject.name]] : [])));
  const set = (name: keyof Filters) => (value: string) => replace('/changes', { ...filters, [name]: value });
  return (
    <search class="filters">
      <Select
        name="actor"
        label="Who"
        value={filters.actor ?? ''}
        options={[['', 'Everybody'], ...named(actors, filters.actor)]}
        onInput={set('actor')}
      />
      <Select
        name="subject"
        label="What"
        value={filters.subject ?? ''}
        options={[['', 'Everything'], ...named(subjects, filters.subject)]}
        onInput={set('subject')}
      />
      <TextField
        name="from"
        label="From"
        type="date"
        value={filters.from ?? ''}
        onInput={(day) => isWhole(day) && set('from')(day)}
      />
    </search>
  );
}

/** The names of all who may have changed something, by their ids. Only people read who the people are. */
function useActors(): Map<string, string> | undefined {
  const { client, actor } = useSession();
  return useLoading(async (signal) => {
    const names = new Map<string, string>();
    if (actor.type === 'person') {
      for await (const { id, name } of client.people.list({ limit: 500 }, { signal })) names.set(id, name);
    }
    for await (const { id, name } of client.apiKeys.list({ limit: 500 }, { signal })) names.set(id, `API key ${name}`);
    return names;
  }, []).value;
}
