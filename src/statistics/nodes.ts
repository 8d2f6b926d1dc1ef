import { groupBy } from '../platform/common/group-by';
import type { FlowDefinition } from '../flows/graph/flow-definition';
import type { RecordedAction } from '../sessions/session-step.entity';
import type { ExitNumbersDto, NodeNumbersDto } from './dto/nodes.dto';
import type { FactCount } from './sums/facts';

const NOBODY = { sessions: 0, in_progress: 0 };

/** The numbers of all nodes, in the order of the definition. */
export function nodesOf({ nodes }: FlowDefinition, counts: FactCount[]): NodeNumbersDto[] {
  const countsOf = groupBy(counts, ({ node_key }) => node_key);
  return nodes.map(({ key, type }) => {
    const own = countsOf.get(key) ?? [];
    // One session may have given several answers.
    const answered = own.find(({ kind, value }) => type === 'survey' && kind === 'step' && value === 'answer');
    const exits = own.filter((one) => one.kind !== 'stopped' && one !== answered).map(exitOf);
    const left = sumOf(answered ? [answered, ...exits.filter(({ action }) => action !== 'answer')] : exits);
    const { sessions: stopped, in_progress } = own.find(({ kind }) => kind === 'stopped') ?? NOBODY;
    return {
      node_key: key,
      type,
      sessions: left + stopped,
      in_progress,
      abandoned: stopped - in_progress,
      exits: exits.toSorted(byFrequency),
    };
  });
}

const sumOf = (counts: { sessions: number }[]) => counts.reduce((sum, { sessions }) => sum + sessions, 0);

function exitOf({ kind, value, sessions }: FactCount): ExitNumbersDto {
  if (kind === 'step') return { action: value as RecordedAction, value: null, sessions };
  return { action: kind === 'way' ? 'way' : 'answer', value, sessions };
}

function byFrequency(a: ExitNumbersDto, b: ExitNumbersDto): number {
  const nameOf = ({ action, value }: ExitNumbersDto) => `${action} ${value}`;
  return b.sessions - a.sessions || (nameOf(a) < nameOf(b) ? -1 : 1);
}
