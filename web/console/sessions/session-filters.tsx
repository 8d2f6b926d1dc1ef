import { replace } from '../shell/route';
import { Select, TextField } from '../ui/field';
import { type Filters, STATUSES } from './filters';

interface SessionFiltersProps {
  filters: Filters;
  /** The names of the flows by their ids, once they are read. */
  flows: Map<string, string> | undefined;
}

export function SessionFilters({ filters, flows }: SessionFiltersProps) {
  const set = (name: keyof Filters) => (value: string) => replace('/sessions', { ...filters, [name]: value });
  return (
    <search class="filters">
      <Select
        name="flow_id"
        label="Flow"
        value={filters.flow_id ?? ''}
        options={[['', 'All flows'], ...(flows ?? [])]}
        onInput={set('flow_id')}
      />
      <Select
        name="status"
        label="Status"
        value={filters.status ?? ''}
        options={[['', 'Any status'], ...STATUSES.map((status) => [status, status.replaceAll('_', ' ')] as const)]}
        onInput={set('status')}
      />
      <TextField
        name="customer_id"
        label="Customer id"
        value={filters.customer_id ?? ''}
        maxLength={200}
        onInput={set('customer_id')}
      />
      <TextField name="from" label="From" type="date" value={filters.from ?? ''} onInput={set('from')} />
      <TextField name="to" label="Until" type="date" value={filters.to ?? ''} onInput={set('to')} />
    </search>
  );
}
