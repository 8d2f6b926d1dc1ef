import type { CreateFlow, Flow, FlowDefinition } from '@retention-flow/client';
import { canonicalTag } from '../../../../src/platform/text/languages';
import { composeDefinition } from '../../../../src/flows/graph/simple-definition';
import type { Content } from '../differences';
import { CONTENT_FIELDS, fieldsOf, type Inputs, inputsOf } from '../flow-fields';
import { isSame } from '../same';
import { graphOf } from './model/shape';

/** The values of the form. */
export interface Draft extends Inputs {
  offer_ids: string[];
  survey: Flow['survey'];
  /** The graph of an advanced flow, or whatever JSON somebody wrote in its place. */
  definition: unknown;
}

export function draftOf(flow: Flow): Draft {
  const { flow_mode, offer_ids, survey, definition } = flow;
  return { ...inputsOf(flow), offer_ids, survey, definition: flow_mode === 'advanced' ? definition : undefined };
}

/** The flow as the service takes it. */
export function bodyOf({ offer_ids, survey, definition, ...inputs }: Draft): CreateFlow {
  const fields = fieldsOf(inputs);
  if (fields.flow_mode === 'simple') return { ...fields, offer_ids, survey };
  return { ...fields, definition: definition as CreateFlow['definition'] };
}

/** What of a body differs from what is saved. */
export function changesOf(saved: Partial<Omit<CreateFlow, 'key' | 'status'>>, body: CreateFlow): Partial<CreateFlow> {
  return Object.fromEntries(
    Object.entries(body).filter(([field, value]) => !isSame(value ?? '', saved[field as keyof typeof saved] ?? '')),
  );
}

/** The changes that are kept in the draft, and the others. */
export function split(changes: Partial<CreateFlow>): [content: Partial<CreateFlow>, others: Partial<CreateFlow>] {
  const entries = Object.entries(changes);
  const isContent = (field: string) => CONTENT_FIELDS.some((content) => content === field);
  return [
    Object.fromEntries(entries.filter(([field]) => isContent(field))),
    Object.fromEntries(entries.filter(([field]) => !isContent(field))),
  ];
}

/** What somebody else saved, with one's own changes to what both began with. */
export function merged(before: Draft, mine: Draft, theirs: Draft): Draft {
  const own = Object.entries(mine).filter(([field, value]) => !isSame(value, before[field as keyof Draft]));
  return { ...theirs, ...Object.fromEntries(own) };
}

/** The graph that the service makes of a simple flow. */
export function composed({ offer_ids, survey, locale }: Draft): FlowDefinition {
  return composeDefinition(offer_ids, survey, canonicalTag(locale));
}

/** Everything that it says, to be compared. */
export function contentOf(draft: Draft): Content {
  const graph = draft.flow_mode === 'simple' ? composed(draft) : graphOf(draft.definition);
  return { ...bodyOf(draft), definition: graph ?? { entry: '', nodes: [] } };
}
