import { createApart, define, RetentionFlowElement, serviceOf } from './element';
import type { Result, ShowOptions } from './v1.d';

/** The entry of the ES module. On a server, it does nothing. */
if (typeof customElements === 'object') {
  RetentionFlowElement.api = serviceOf(import.meta.url);
  define();
}

export { RetentionFlowElement };

let apart: RetentionFlowElement | undefined;

/** Shows a flow, or a session that exists already, without an element in the page. One dialog at a time. */
export function show(options: ShowOptions & ({ flow: string } | { sessionId: string })): Promise<Result> {
  if (!apart?.isConnected) apart = createApart();
  return apart.show(options);
}
