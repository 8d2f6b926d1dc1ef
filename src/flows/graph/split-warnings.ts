import { changedSplits } from './arms';
import type { FlowDefinition } from './flow-definition';

/** What becomes of the numbers of splits that a change of a live flow draws anew, and of those that it doesn't. */
export function splitWarnings(
  before: FlowDefinition,
  definition: FlowDefinition,
): { pointer: string; message: string }[] {
  return changedSplits(before, definition).map(({ split, keepsArms }) => ({
    pointer: `/definition/nodes/${definition.nodes.indexOf(split)}/config`,
    message: keepsArms
      ? `The split ${split.key} has a salt, so returning customers count in their old arms, and the numbers that begin now depend on what ` +
        'these did before. Change the salt to draw anew.'
      : `The split ${split.key} draws its customers anew, and its numbers begin anew.`,
  }));
}
