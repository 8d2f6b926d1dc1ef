import type { FlowDefinition } from '@retention-flow/client';
import { objectOf, objectsOf } from '../../graph/graph-outline';

const TYPES = ['start', 'survey', 'offer', 'confirm', 'branch', 'split'];

/** A definition if its nodes can be edited one by one; undefined if it is JSON that is no graph. */
export function graphOf(definition: unknown): FlowDefinition | undefined {
  const { entry, nodes } = objectOf(definition);
  const isGraph = typeof entry === 'string' && Array.isArray(nodes) && nodes.every(isNode) && nodes.length > 0;
  return isGraph ? (definition as FlowDefinition) : undefined;
}

function isNode(node: unknown): boolean {
  const { key, type, config, next } = objectOf(node);
  const { title, body = '', offer_id, options, ways } = objectOf(config);
  const leadsOn = type === 'confirm' || type === 'split' || typeof next === 'string';
  if (typeof key !== 'string' || !TYPES.includes(type as string) || !leadsOn) return false;
  if (type === 'offer') return typeof offer_id === 'string';
  if (type === 'branch') return hasAll(ways, ({ when, next }) => typeof next === 'string' && isGroup(when));
  if (type === 'split') {
    return hasAll(
      ways,
      ({ name, weight, next }) => typeof name === 'string' && typeof weight === 'number' && typeof next === 'string',
    );
  }
  const isPage = typeof title === 'string' && typeof body === 'string';
  if (type !== 'survey') return isPage;
  return (
    isPage &&
    hasAll(
      options,
      ({ value, label, next = '' }) =>
        typeof value === 'string' && typeof label === 'string' && typeof next === 'string',
    )
  );
}

/** Whether a value is a group of conditions, of which some may be groups. */
function isGroup(value: unknown): boolean {
  const { all, any } = objectOf(value);
  const isCondition = (one: Record<string, unknown>) =>
    typeof one.is === 'string' ? typeof (one.attribute ?? one.answer) === 'string' : isGroup(one);
  return hasAll(all ?? any, isCondition);
}

function hasAll(list: unknown, isSound: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(list) && list.length === objectsOf(list).length && objectsOf(list).every(isSound);
}
