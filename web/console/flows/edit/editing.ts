import type { FlowDefinition } from '@retention-flow/client';
import type { ChosenOffer } from './chosen-offer';
import type { Seen } from './model/condition-values';
import type { Arrow, Path } from './model/exits';
import type { Fault } from './model/fault-words';
import { write } from './model/graph-edits';

/** What is chosen in the graph: a node, by its key, or an arrow to insert one on. */
export type Choice = { node: string } | { arrow: Arrow } | undefined;

/** What the parts of the editor share: the graph, and how they change it. */
export interface Editing {
  graph: FlowDefinition;
  offers: Map<string, ChosenOffer>;
  faults: Fault[];
  /** The workspace's. */
  audiences: { id: string; name: string }[];
  /** What customers have, with their values. */
  seen: Seen;
  /** Whether billing hears of the answers to surveys. */
  isHeard: boolean;
  choice: Choice;
  choose: (choice: Choice) => void;
  /**
   * Puts another graph in place. `said` is read out; with a `choice`, the focus goes to it. Changes with the same
   * `subject` are undone as one.
   */
  change: (graph: FlowDefinition, how: { said?: string; choice?: Choice; subject?: string }) => void;
}

/** Writes into a node as somebody types: all that is typed into a field is undone as one. */
export function writer({ graph, change }: Editing, key: string) {
  return (path: Path, value: unknown) =>
    change(write(graph, key, path, value), { subject: `${key} ${path.join(' ')}` });
}
