import type { FlowDefinition, FlowNode } from '@retention-flow/client';

type Group = Extract<FlowNode, { type: 'branch' }>['config']['ways'][number]['when'];
type Member = Extract<Group, { all: unknown }>['all'][number];

/** A graph whose conditions on a survey go on to mean the same, once it takes several answers, or one again. */
export function withAnswersOf(graph: FlowDefinition, survey: string, areSeveral: boolean): FlowDefinition {
  const changed = (member: Member): Member => {
    if ('audience' in member) return member;
    if (!('is' in member)) return inGroup(member) as Member;
    if (!('answer' in member) || member.answer !== survey) return member;
    if (!areSeveral) return member.is === 'includes' ? { ...member, is: '=' } : member;
    if (member.is === '=') return { ...member, is: 'includes' };
    return member.is === '!=' ? { ...member, is: 'not_in', value: [member.value ?? []].flat() } : member;
  };
  const inGroup = (group: Group): Group =>
    'all' in group ? { all: group.all.map(changed) } : { any: group.any.map(changed) };
  const nodes = graph.nodes.map((node): FlowNode => {
    if (node.type !== 'branch') return node;
    return { ...node, config: { ways: node.config.ways.map((way) => ({ ...way, when: inGroup(way.when) })) } };
  });
  return { ...graph, nodes };
}
