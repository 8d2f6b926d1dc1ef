import { useState } from 'preact/hooks';
import { useAudiences } from '../flows/use-audiences';
import { replace } from '../shell/route';
import { named, Select } from '../ui/field';
import { SegmentDialog } from './segment-dialog';

interface SegmentChoiceProps {
  /** The page, and the parameters of its address. */
  path: string;
  query: URLSearchParams;
}

/** The choice of those for whom conditions hold, which have no name. */
const BY_CONDITIONS = 'conditions';

/** Whose sessions a page is about: all, those of an audience, or those for whom conditions hold. */
export function SegmentChoice({ path, query }: SegmentChoiceProps) {
  const audiences = useAudiences();
  const [isOpen, setIsOpen] = useState(false);
  const { where, audience = '' } = segmentOf(query);
  const names = new Map(audiences.map(({ id, name }) => [id, name]));
  const choose = (segment: { where?: string; audience?: string }) =>
    replace(path, { ...Object.fromEntries(query), where: '', audience: '', ...segment });
  return (
    <div class="segment">
      <Select
        name="segment"
        label="Customers"
        options={[
          ['', 'All customers'],
          ...named(names, audience || undefined),
          ...(where === undefined ? [] : [[BY_CONDITIONS, 'By conditions'] as const]),
        ]}
        value={where === undefined ? audience : BY_CONDITIONS}
        onInput={(chosen) => chosen !== BY_CONDITIONS && choose({ audience: chosen })}
      />
      <button type="button" class="quiet" onClick={() => setIsOpen(true)}>
        {where === undefined ? 'By conditions …' : 'Change the conditions …'}
      </button>
      {isOpen && (
        <SegmentDialog audiences={audiences} where={where} onChosen={choose} onClose={() => setIsOpen(false)} />
      )}
    </div>
  );
}

/** The parameters that ask for the chosen customers alone. */
export function segmentOf(query: URLSearchParams): { where?: string; audience?: string } {
  const [where, audience] = [query.get('where'), query.get('audience')];
  return { ...(where && { where }), ...(audience && { audience }) };
}
