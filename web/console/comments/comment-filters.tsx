import { SegmentChoice } from '../audiences/segment-choice';
import { useSession } from '../shell/session';
import { replace } from '../shell/route';
import { STATUS_OPTIONS } from '../sessions/words';
import { LANGUAGES } from '../../../src/platform/text/languages';
import { languageName } from '../flows/languages/names';
import { named, Select, TextField } from '../ui/field';
import { asked, isWhole } from '../ui/filters';
import { counted } from '../ui/format';
import { useLoading } from '../ui/loading';
import { SearchField } from '../ui/search-field';
import { type Reason, reasonsOf } from './reasons';

export const FILTERS = ['q', 'flow_id', 'reason', 'outcome', 'locale', 'where', 'audience', 'from', 'to'] as const;

export type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

interface CommentFiltersProps {
  filters: Filters;
  /** The names of all flows by their ids, once they are known. */
  flows: Map<string, string> | undefined;
}

export function CommentFilters({ filters, flows = new Map() }: CommentFiltersProps) {
  const reasons = useReasons(filters);
  const change = (changes: Filters) => replace('/comments', { ...filters, ...changes });
  const changeDay = (changes: Filters) => {
    if (Object.values(changes).every(isWhole)) change(changes);
  };
  return (
    <search class="filters">
      <SearchField
        name="q"
        placeholder='Words, or "a phrase"'
        maxLength={200}
        value={filters.q ?? ''}
        onChange={(q) => change({ q })}
      />
      <Select
        name="flow_id"
        label="Flow"
        options={[['', 'All flows'], ...named(flows, filters.flow_id)]}
        value={filters.flow_id ?? ''}
        onInput={(flow_id) => change({ flow_id, reason: '' })}
      />
      <Select
        name="reason"
        label="Reason"
        options={[['', 'All reasons'], ...named(namesOf(reasons), filters.reason)]}
        value={filters.reason ?? ''}
        onInput={(reason) => change({ reason })}
      />
      <Select
        name="outcome"
        label="Status"
        options={STATUS_OPTIONS}
        value={filters.outcome ?? ''}
        onInput={(outcome) => change({ outcome })}
      />
      <Select
        name="locale"
        label="Language"
        options={[['', 'All languages'], ...named(LANGUAGE_NAMES, filters.locale)]}
        value={filters.locale ?? ''}
        onInput={(locale) => change({ locale })}
      />
      <SegmentChoice path="/comments" query={new URLSearchParams(filters)} />
      <TextField
        name="from"
        label="From"
        type="date"
        value={filters.from ?? ''}
        onInput={(from) => changeDay({ from })}
      />
      <TextField name="to" label="Through" type="date" value={filters.to ?? ''} onInput={(to) => changeDay({ to })} />
    </search>
  );
}

const LANGUAGE_NAMES = new Map(LANGUAGES.map((language) => [language, languageName(language)]));

const namesOf = (reasons: Reason[]) =>
  new Map(reasons.map(({ option, label, sessions }) => [option, `${label} (${counted(sessions, 'session')})`]));

/** The day 365 days before another one, or before today. */
function yearBefore(day = new Date().toISOString()): string {
  return new Date(Date.parse(day) - 365 * 86_400_000).toISOString().slice(0, 10);
}

/** The reasons that were chosen in the days of the filters, or in the year before: how many sessions gave each. */
function useReasons({ flow_id, from, to }: Filters): Reason[] {
  const { client } = useSession();
  const { value } = useLoading(
    async (signal) => {
      const days = asked({ from: from ?? yearBefore(to), ...(to && { to }) });
      if (flow_id !== undefined) return reasonsOf([await client.flows.stats(flow_id, days, { signal })]);
      return reasonsOf((await client.workspace.stats(days, { signal })).flows);
    },
    [flow_id, from, to],
  );
  return value ?? [];
}
