/** What the service says of splits that are changed: `src/flows/graph/split-warnings.ts`. Its types are those of DTOs. */
declare module '@retention-flow/split-warnings' {
  import type { FlowDefinition } from '@retention-flow/client';

  export function splitWarnings(
    before: FlowDefinition,
    definition: FlowDefinition,
  ): { pointer: string; message: string }[];
}
