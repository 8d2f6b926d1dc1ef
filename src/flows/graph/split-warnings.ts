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
      ? `The test ${split.key} has a salt: customers who return stay in their old arms, and what these did before colors the new numbers. ` +
        'Change the salt to put each customer in an arm anew.'
      : `The test ${split.key} starts again at zero, and each customer is put in an arm anew. Its numbers so far are kept with the ` +
        'versions before.',
  }));
}
