import { createApart, define, RetentionFlowElement, serviceOf } from './element';
import type { Result, ShowOptions } from './v1.d';

/** The entry of the ES module. On a server, it does nothing. */
if (typeof customElements === 'object') {
  RetentionFlowElement.api = serviceOf(import.meta.url);
  define();
}

export { RetentionFlowElement };

/** Shows a flow, or a session that exists already, without an element in the page. */
export function show(options: ShowOptions & ({ flow: string } | { sessionId: string })): Promise<Result> {
  return createApart().show(options);
}
