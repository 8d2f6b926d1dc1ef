import { useAudiences } from '../flows/use-audiences';
import { replace } from '../shell/route';
import { named, Select } from '../ui/field';

interface AudienceChoiceProps {
  /** The page, and the parameters of its address. */
  path: string;
  query: URLSearchParams;
}

/** Whose sessions the numbers of a page are of: all, or those of an audience. Nothing where there is none. */
export function AudienceChoice({ path, query }: AudienceChoiceProps) {
  const audiences = useAudiences();
  const chosen = query.get('audience') ?? '';
  if (audiences.length === 0 && !chosen) return null;
  const names = new Map(audiences.map(({ id, name }) => [id, name]));
  return (
    <div class="filters">
      <Select
        name="audience"
        label="Customers"
        options={[['', 'All customers'], ...named(names, chosen || undefined)]}
        value={chosen}
        onInput={(audience) => replace(path, { ...Object.fromEntries(query), audience })}
      />
    </div>
  );
}

/** The parameter of statistics that counts only the chosen audience. */
export function whereOf(query: URLSearchParams): { where?: string } {
  const audience = query.get('audience');
  return audience ? { where: JSON.stringify({ all: [{ audience }] }) } : {};
}
