import { SegmentChoice } from '../audiences/segment-choice';
import { replace } from '../shell/route';
import { named, Select, TextField } from '../ui/field';
import { isWhole } from '../ui/filters';
import { SearchField } from '../ui/search-field';
import { STATUS_OPTIONS } from './words';

export const FILTERS = ['search', 'flow_id', 'status', 'where', 'audience', 'from', 'to'] as const;
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
      <SearchField
        name="search"
        placeholder="E-mail, customer id or session id"
        maxLength={254}
        value={filters.search ?? ''}
        onChange={set('search')}
      />
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
        options={STATUS_OPTIONS}
        onInput={set('status')}
      />
      <SegmentChoice path="/sessions" query={new URLSearchParams(filters)} />
      <TextField name="from" label="From" type="date" value={filters.from ?? ''} onInput={setDay('from')} />
      <TextField name="to" label="Through" type="date" value={filters.to ?? ''} onInput={setDay('to')} />
    </search>
  );
}
