import { replace } from '../shell/route';
import { useSession } from '../shell/session';
import { named, Select, TextField } from '../ui/field';
import { isWhole } from '../ui/filters';
import { useLoading } from '../ui/loading';

export const FILTERS = ['flow_id', 'option', 'from', 'to'] as const;

type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

interface CommentFiltersProps {
  filters: Filters;
  /** The names of all flows by their ids, once they are known. */
  flows: Map<string, string> | undefined;
}

export function CommentFilters({ filters, flows = new Map() }: CommentFiltersProps) {
  const options = useOptions(filters.flow_id);
  const change = (changes: Filters) => replace('/comments', { ...filters, ...changes });
  const changeDay = (changes: Filters) => {
    if (Object.values(changes).every(isWhole)) change(changes);
  };
  return (
    <div class="filters" role="group" aria-label="Filters">
      <Select
        name="flow_id"
        label="Flow"
        options={[['', 'All flows'], ...named(flows, filters.flow_id)]}
        value={filters.flow_id ?? ''}
        onInput={(flow_id) => change({ flow_id, option: '' })}
      />
      {filters.flow_id !== undefined && (
        <Select
          name="option"
          label="Option"
          options={[['', 'All options'], ...named(options, filters.option)]}
          value={filters.option ?? ''}
          onInput={(option) => change({ option })}
        />
      )}
      <TextField
        name="from"
        label="From"
        type="date"
        value={filters.from ?? ''}
        onInput={(from) => changeDay({ from })}
      />
      <TextField name="to" label="Through" type="date" value={filters.to ?? ''} onInput={(to) => changeDay({ to })} />
    </div>
  );
}

/** The options of the surveys of a flow, by their values. */
function useOptions(flowId: string | undefined): Map<string, string> {
  const { client } = useSession();
  const { value } = useLoading(
    async (signal) => {
      if (flowId === undefined) return undefined;
      const { definition } = await client.flows.get(flowId, { signal });
      const options = definition.nodes.flatMap((node) => (node.type === 'survey' ? node.config.options : []));
      return new Map(options.map(({ value, label }) => [value, label]));
    },
    [flowId],
  );
  return value ?? new Map();
}
