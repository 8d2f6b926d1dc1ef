import { armsIn } from './draws';
import type { FlowDefinition } from './flow-definition';

/** What becomes of the numbers of splits that a change of a live flow draws anew, and of those that it doesn't. */
export function splitWarnings(
  before: FlowDefinition,
  definition: FlowDefinition,
): { pointer: string; message: string }[] {
  const changed = definition.nodes.flatMap((split) => {
    const earlier = before.nodes.find(({ key }) => key === split.key);
    if (split.type !== 'split' || earlier?.type !== 'split') return [];
    const { salt } = split.config;
    const keepsArms = salt !== undefined && salt === earlier.config.salt;
    return armsIn(split.config) === armsIn(earlier.config) ? [] : [{ split, keepsArms }];
  });
  return changed.map(({ split, keepsArms }) => ({
    pointer: `/definition/nodes/${definition.nodes.indexOf(split)}/config`,
    message: keepsArms
      ? `The test ${split.key} has a salt: customers who return stay in their old arms, and what these did before colors the new numbers. ` +
        'Change the salt to put each customer in an arm anew.'
      : `The test ${split.key} starts again at zero, and each customer is put in an arm anew. Its numbers so far are kept with the ` +
        'versions before.',
  }));
}
