import { ApiProperty } from '@nestjs/swagger';
import { QueryIntegerField } from '../../platform/api/fields';
import { COUNT, integer, KEY } from '../../platform/api/schemas';
import type { FlowNode } from '../../flows/flow-definition';
import { FLOW_NODE_TYPES, MAX_NODES, MAX_OPTIONS } from '../../flows/graph-limits';
import { RECORDED_ACTIONS, type RecordedAction } from '../../runtime/sessions/session-step.entity';
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
  @ApiProperty({
    enum: [...RECORDED_ACTIONS, 'way'],
    example: 'answer',
    description:
      'What the customer did; `refused`: accepted an offer that its limit withheld; `way` at a branch or a split, which customers never see.',
  })
  action: RecordedAction | 'way';

  @ApiProperty({
    ...KEY,
    nullable: true,
    example: 'too_expensive',
    description:
      'Of an `answer` the option. Of a `way` at a split its name, at a branch its index from 0, or `next`. null for other actions.',
  })
  value: string | null;

  @ApiProperty({ ...integer(1), example: 40, description: 'Sessions that went on this way.' })
  sessions: number;
}

/** `sessions` = `in_progress` + `abandoned` + the `sessions` of all exits. */
export class NodeNumbersDto {
  @ApiProperty({ ...KEY, example: 'reason' })
  node_key: string;

  @ApiProperty({ enum: FLOW_NODE_TYPES, example: 'survey' })
  type: FlowNode['type'];

  @ApiProperty({
    ...COUNT,
    example: 50,
    description:
      'Sessions that came here. They do not come to an offer that is passed over: archived, or at its limit.',
  })
  sessions: number;

  @ApiProperty({ ...COUNT, example: 2, description: 'Those of them that are here now, and in progress.' })
  in_progress: number;

  @ApiProperty({
    ...COUNT,
    example: 8,
    description: 'Those of them that stopped here: the session did not end within 24 hours of its start.',
  })
  abandoned: number;

  @ApiProperty({
    type: [ExitNumbersDto],
    maxItems: MAX_EXITS,
    description: 'How the others went on: the most frequent first. Without exits that no session took.',
  })
  exits: ExitNumbersDto[];
}

/** How the sessions of a version went through its nodes. */
export class FlowNodeStatsDto {
  @ApiProperty({ ...integer(1), example: 3 })
  version: number;

  @ApiProperty({ ...COUNT, example: 50, description: 'Sessions of this version that began in the span.' })
  sessions: number;

  @ApiProperty({
    type: [NodeNumbersDto],
    maxItems: MAX_NODES,
    description: 'All nodes of the version, in the order of its definition. Those that no session came to have zeros.',
  })
  nodes: NodeNumbersDto[];
}
