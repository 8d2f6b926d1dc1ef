import type { SessionListItem } from '@retention-flow/client';
import { useEffect, useState } from 'preact/hooks';
import { replace } from '../shell/route';
import { named, Select, TextField } from '../ui/field';
import { isWhole } from '../ui/filters';

export const FILTERS = ['search', 'flow_id', 'status', 'from', 'to'] as const;
const STATUSES: Status[] = ['in_progress', 'saved', 'canceled', 'abandoned'];

type Status = SessionListItem['status'];
type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

interface SessionFiltersProps {
  filters: Filters;
  /** The names of the flows by their ids, once they are read. */
  flows: Map<string, string> | undefined;
}

export function SessionFilters({ filters, flows = new Map() }: SessionFiltersProps) {
  const set = (name: keyof Filters) => (value: string) => replace('/sessions', { ...filters, [name]: value });
  const setDay = (name: 'from' | 'to') => (day: string) => isWhole(day) && set(name)(day);
  return (
    <search class="filters">
      <Search value={filters.search ?? ''} onChange={set('search')} />
      <Select
        name="flow_id"
        label="Flow"
        value={filters.flow_id ?? ''}
        options={[['', 'All flows'], ...named(flows, filters.flow_id)]}
        onInput={set('flow_id')}
      />
      <Select
        name="status"
        label="Status"
        value={filters.status ?? ''}
        options={[['', 'Any status'], ...STATUSES.map((status) => [status, status.replaceAll('_', ' ')] as const)]}
        onInput={set('status')}
      />
      <TextField name="from" label="From" type="date" value={filters.from ?? ''} onInput={setDay('from')} />
      <TextField name="to" label="Through" type="date" value={filters.to ?? ''} onInput={setDay('to')} />
    </search>
  );
}

/** A text counts once it is typed as a whole: on Enter, or when the field is left. */
function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <div class="session-search" onChange={() => onChange(typed.trim())}>
      <TextField
        name="search"
        label="Search"
        placeholder="E-mail, customer id or session id"
        value={typed}
        maxLength={254}
        onInput={setTyped}
      />
    </div>
  );
}
