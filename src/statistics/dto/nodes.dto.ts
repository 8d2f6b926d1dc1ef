import { QueryIntegerField } from '../../platform/api/fields/fields';
import { Choice, Count, Integer, Key, Many } from '../../platform/api/fields/shown';
import type { FlowNode } from '../../flows/graph/flow-definition';
import { FLOW_NODE_TYPES, MAX_NODES } from '../../flows/graph/graph-limits';
import { MAX_OPTIONS } from '../../conditions/condition-limits';
import { RECORDED_ACTIONS, type RecordedAction } from '../../sessions/session-step.entity';
import { StatsQuery } from './stats.dto';

/** A survey has the most: an answer for each option, `keep` and `cancel`. */
const MAX_EXITS = MAX_OPTIONS + 2;

export class FlowNodeStatsQuery extends StatsQuery {
  @QueryIntegerField({
    description: 'The version of the flow. Without it, the current one. A version that the flow does not have is 404.',
    min: 1,
    example: 1,
    optional: true,
  })
  version?: number;
}

export class ExitNumbersDto {
  @Choice(
    [...RECORDED_ACTIONS, 'way'],
    'What the customer did; `refused`: accepted an offer that its limit withheld; `way` at a branch or a split, which customers never see.',
    'answer',
  )
  action: RecordedAction | 'way';

  @Key.orNull(
    'The option of an `answer`; the name of a `way` at a split, at a branch its index from 0, or `next`; null for other actions.',
    'too_expensive',
  )
  value: string | null;

  @Integer(1, 'Sessions that went on this way.', 40)
  sessions: number;
}

/**
 * `sessions` = `in_progress` + `abandoned` + the `sessions` of all exits, unless a survey takes several answers: each
 * of them counts.
 */
export class NodeNumbersDto {
  @Key.like('reason')
  node_key: string;

  @Choice.like(FLOW_NODE_TYPES, 'survey')
  type: FlowNode['type'];

  @Count('Sessions that came here. They do not come to an offer that is passed over: archived, or at its limit.', 50)
  sessions: number;

  @Count('Those of them that are here now, and in progress.', 2)
  in_progress: number;

  @Count('Those of them that stopped here: the session did not end within 24 hours of its start.', 8)
  abandoned: number;

  @Many(
    ExitNumbersDto,
    MAX_EXITS,
    'How the others went on: the most frequent first. Without exits that no session took.',
  )
  exits: ExitNumbersDto[];
}

/** How the sessions of a version went through its nodes. */
export class FlowNodeStatsDto {
  @Integer.like(1, 3)
  version: number;

  @Count('Sessions of this version that began in the span.', 50)
  sessions: number;

  @Many(
    NodeNumbersDto,
    MAX_NODES,
    'All nodes of the version, in the order of its definition. Those that no session came to have zeros.',
  )
  nodes: NodeNumbersDto[];
}
