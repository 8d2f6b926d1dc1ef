import { useEffect, useState } from 'preact/hooks';
import { replace } from '../shell/route';
import { isWhole } from '../ui/days';
import { named, Select, TextField } from '../ui/field';
import { type Filters, STATUSES } from './filters';

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
      <CustomerFilter value={filters.customer_id ?? ''} onChange={set('customer_id')} />
      <TextField name="from" label="From" type="date" value={filters.from ?? ''} onInput={setDay('from')} />
      <TextField name="to" label="Through" type="date" value={filters.to ?? ''} onInput={setDay('to')} />
    </search>
  );
}

/** An id counts once it is typed as a whole: on Enter, or when the field is left. */
function CustomerFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <div class="customer-filter" onChange={() => onChange(typed)}>
      <TextField name="customer_id" label="Customer id" value={typed} maxLength={200} onInput={setTyped} />
    </div>
  );
}
