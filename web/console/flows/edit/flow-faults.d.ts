/** The rules of the service itself. Its types are those of a server, so what the console needs of them is said here. */
declare module '@retention-flow/flow-faults' {
  import type { BodyError, FlowDefinition } from '@retention-flow/client';

  export function faultsOf(definition: FlowDefinition): BodyError[];
}
