import { jsonPointer } from '../../platform/api/problems/json-pointer';
import { OF_FLOW, placeholderFault } from '../../platform/text/placeholders';
import type { FieldError } from '../../platform/api/problems/problem';
import type { AnswerCondition, ConditionGroup } from '../../conditions/condition.dto';
import {
  type BranchNode,
  type FlowDefinition,
  type FlowNode,
  isSilent,
  type PageConfig,
  type SplitNode,
  type SurveyNode,
  targetsOf,
} from './flow-definition';
import { translationFaultsOf } from '../languages/flow-translations';
import { askedIn, conditionFaults, conditionsOf, isOfStep, type StepCondition } from '../../conditions/conditions';
import { conditionsIn } from './branch-conditions';

type Path = (string | number)[];
type Fault = (message: string, path: Path) => void;

/**
 * The faults that could keep a customer from reaching the end of a graph, and conditions and weights that can't be
 * meant, each with a JSON Pointer to its place. A sound graph has one entry, unique keys, targets that exist, no circle
 * and no unreachable node. Every node but a confirm leads on, so every path through a sound graph ends at a confirm.
 * The console's editor asks it, too, so it imports no framework.
 */
export function faultsOf(definition: FlowDefinition): FieldError[] {
  return [...textFaultsOf(definition), ...translationFaultsOf(definition), ...faultsOfGraph(definition)];
}

/** Titles and labels that are blank, which only a draft may have, and placeholders that nobody can resolve. */
function textFaultsOf({ nodes }: FlowDefinition): FieldError[] {
  const texts = nodes.flatMap((node, index) => [
    ...('title' in node.config ? [{ text: node.config.title, path: ['nodes', index, 'config', 'title'] }] : []),
    ...(node.type === 'survey'
      ? node.config.options.map(({ label }, option) => ({
          text: label,
          path: ['nodes', index, 'config', 'options', option, 'label'],
        }))
      : []),
  ]);
  const alts = nodes.flatMap(({ config }, index) => {
    const { image } = config as PageConfig;
    return image ? [{ text: image.alt, path: ['nodes', index, 'config', 'image', 'alt'] }] : [];
  });
  const blank = [...texts, ...alts]
    .filter(({ text }) => text.trim() === '')
    .map(({ path }) => ({ path, message: 'must not be blank' }));
  const placeholders = nodes.flatMap(({ config }, index) =>
    placedTextsOf(config as Partial<PageConfig>).flatMap(({ text, path }) => {
      const message = placeholderFault(text, OF_FLOW);
      return message === undefined ? [] : [{ path: ['nodes', index, 'config', ...path], message }];
    }),
  );
  return [...blank, ...placeholders].map(({ path, message }) => ({ pointer: jsonPointer(...path), message }));
}

/** The texts of a page that may have placeholders, each with its place in the config. */
function placedTextsOf({ title = '', body = '', points = [] }: Partial<PageConfig>): { text: string; path: Path }[] {
  return [
    { text: title, path: ['title'] },
    { text: body, path: ['body'] },
    ...points.map((text, index) => ({ text, path: ['points', index] })),
  ];
}

function faultsOfGraph({ entry, nodes }: FlowDefinition): FieldError[] {
  const faults: FieldError[] = [];
  const fault: Fault = (message, path) => faults.push({ pointer: jsonPointer(...path), message });
  const indexByKey = new Map(nodes.map(({ key }, index) => [key, index]));

  for (const [index, node] of nodes.entries()) {
    if (nodes.findIndex(({ key }) => key === node.key) < index)
      fault('is the key of another node', ['nodes', index, 'key']);
    if (node.type === 'start' && node.key !== entry) fault('start is only for the entry', ['nodes', index, 'type']);
    if (node.type === 'survey') checkOptions(node, ['nodes', index, 'config', 'options'], fault);
    if (node.type === 'branch') checkConditions(node, ['nodes', index, 'config', 'ways'], nodes, fault);
    if (node.type === 'split') checkArms(node, ['nodes', index, 'config', 'ways'], nodes, fault);
    for (const { target, path } of targetsOf(node)) {
      if (!indexByKey.has(target)) fault('is not the key of a node', ['nodes', index, ...path]);
    }
  }
  const first = indexByKey.get(entry);
  if (first === undefined) fault('is not the key of a node', ['entry']);
  else if (nodes[first].type === 'offer' || isSilent(nodes[first])) {
    fault('must not be an offer, a branch or a split', ['entry']);
  }
  if (faults.length > 0) return faults;

  const reached = new Set<number>();
  const visit = (index: number, behind: Set<number>) => {
    if (reached.has(index)) return;
    reached.add(index);
    for (const { target, path } of targetsOf(nodes[index])) {
      const next = indexByKey.get(target)!;
      if (next === index || behind.has(next)) fault('leads back in a circle', ['nodes', index, ...path]);
      else visit(next, new Set(behind).add(index));
    }
  };
  visit(first!, new Set());
  for (const index of nodes.keys()) if (!reached.has(index)) fault('cannot be reached', ['nodes', index]);
  if (faults.length === 0) checkOrder(nodes, fault);
  return faults;
}

function checkOptions({ config }: SurveyNode, path: Path, fault: Fault): void {
  for (const index of repeated(config.options.map(({ value }) => value))) {
    fault('is the value of another option', [...path, index, 'value']);
  }
}

/**
 * Names tell the arms apart in the statistics. With weights of 0 alone, nobody could get an arm. At most one arm is the
 * control, and it leads straight to a confirm.
 */
function checkArms({ config: { ways: arms } }: SplitNode, path: Path, nodes: FlowNode[], fault: Fault): void {
  for (const index of repeated(arms.map(({ name }) => name))) {
    fault('is the name of another arm', [...path, index, 'name']);
  }
  const control = arms.findIndex((arm) => arm.control);
  for (const [index, arm] of arms.entries()) {
    if (!arm.control) continue;
    if (index > control) fault('must not be true, because another arm is the control', [...path, index, 'control']);
    const target = nodes.find(({ key }) => key === arm.next);
    if (target && target.type !== 'confirm')
      fault('must be a confirm, because the arm is the control', [...path, index, 'next']);
  }
  if (arms.every(({ weight }) => weight === 0)) fault('must have an arm with a weight above 0', path);
}

/** The faults of arms that are chosen by hand, by the keys of their splits, each with a JSON Pointer. */
export function armFaults({ nodes }: FlowDefinition, arms: Record<string, string>): FieldError[] {
  const isThere = ([key, name]: [string, string]) =>
    nodes.some(
      (node) => node.key === key && node.type === 'split' && node.config.ways.some((arm) => arm.name === name),
    );
  return Object.entries(arms)
    .filter((chosen) => !isThere(chosen))
    .map(([key]) => ({ pointer: jsonPointer('arm', key), message: 'must be the name of an arm of this split' }));
}

/**
 * The faults of the audiences that the branches of a sound graph name, each with a JSON Pointer into it: one that there
 * is not, or that asks for an answer which the graph does not have there.
 */
export function audienceFaults(
  definition: FlowDefinition,
  audiences: ReadonlyMap<string, ConditionGroup>,
): FieldError[] {
  const { nodes } = definition;
  const keysBehind = behindIn(nodes);
  return conditionsIn(definition).flatMap(({ condition, path }) => {
    if (!('audience' in condition)) return [];
    const pointer = jsonPointer(...path, 'audience');
    const held = audiences.get(condition.audience);
    if (!held) return [{ pointer, message: 'is no audience of the workspace' }];
    const branch = nodes[path[1] as number];
    const faults: FieldError[] = [];
    for (const { condition: asked } of conditionsOf(held)) {
      if (!isOfStep(asked)) continue;
      const what = 'result' in asked ? 'a result' : 'an answer';
      const fault: Fault = (message) => faults.push({ pointer, message: `asks for ${what} that ${message}` });
      checkAsked(asked, [], nodes, fault);
      if (faults.length === 0 && !keysBehind(askedIn(asked).node).has(branch.key))
        fault('is not given before this branch', []);
    }
    return faults.slice(0, 1);
  });
}

/**
 * Conditions on answers name a survey of the graph, and its options; those on results, a node that has some; those on
 * facts, values that these can have.
 */
function checkConditions(branch: BranchNode, path: Path, nodes: FlowNode[], fault: Fault): void {
  for (const [index, { when }] of branch.config.ways.entries()) {
    for (const { path: within, message } of conditionFaults(when)) fault(message, [...path, index, 'when', ...within]);
  }
  for (const { condition, path: within } of stepConditionsOf(branch)) {
    checkAsked(condition, [...path, ...within], nodes, fault);
  }
}

function checkAsked(condition: StepCondition, path: Path, nodes: FlowNode[], fault: Fault): void {
  const asked = nodes.find(({ key }) => key === askedIn(condition).node);
  if ('result' in condition) {
    if (asked?.type !== 'custom') fault('is not the key of a node of type custom', [...path, 'result']);
    return;
  }
  checkAnswer(condition, asked, path, fault);
}

function checkAnswer({ is, value }: AnswerCondition, survey: FlowNode | undefined, path: Path, fault: Fault): void {
  if (survey?.type !== 'survey') {
    fault('is not the key of a survey', [...path, 'answer']);
    return;
  }
  const isOption = (one: unknown) => survey.config.options.some((option) => option.value === one);
  if (!Array.isArray(value)) {
    if (is !== 'exists' && !isOption(value)) fault('is not an option of the survey', [...path, 'value']);
    return;
  }
  for (const [index, one] of value.entries()) {
    if (!isOption(one)) fault('is not an option of the survey', [...path, 'value', index]);
  }
}

/** The keys of the nodes to which paths lead from a node. The graph has no circle. */
function behindIn(nodes: FlowNode[]): (key: string) => Set<string> {
  const behind = new Map<string, Set<string>>();
  const keysBehind = (key: string): Set<string> => {
    const known = behind.get(key);
    if (known) return known;
    const targets = targetsOf(nodes.find((node) => node.key === key)!).map(({ target }) => target);
    const keys = new Set(targets.flatMap((target) => [target, ...keysBehind(target)]));
    behind.set(key, keys);
    return keys;
  };
  return keysBehind;
}

/** No customer has come to a node from which no path leads to the branch. The graph is sound otherwise. */
function checkOrder(nodes: FlowNode[], fault: Fault): void {
  const keysBehind = behindIn(nodes);
  for (const [index, node] of nodes.entries()) {
    if (node.type !== 'branch') continue;
    for (const { condition, path } of stepConditionsOf(node)) {
      if (keysBehind(askedIn(condition).node).has(node.key)) continue;
      const [what, field] = 'answer' in condition ? ['survey', 'answer'] : ['node', 'result'];
      fault(`is not a ${what} before this branch`, ['nodes', index, 'config', 'ways', ...path, field]);
    }
  }
}

/** The conditions on steps before, each with its place in the paths of the branch. */
function stepConditionsOf({ config }: BranchNode): { condition: StepCondition; path: Path }[] {
  return config.ways.flatMap(({ when }, index) =>
    conditionsOf(when).flatMap(({ condition, path }) =>
      isOfStep(condition) ? [{ condition, path: [index, 'when', ...path] }] : [],
    ),
  );
}

/** The places of values that are in the list before. */
function repeated(values: string[]): number[] {
  return [...values.keys()].filter((index) => values.indexOf(values[index]) < index);
}
