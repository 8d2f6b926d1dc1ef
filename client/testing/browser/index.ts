import { createFlow, type Flow, inMemory, type View } from '../../headless/flow.ts';
import { world } from '../../headless/world.ts';
import { flowIn } from './local/document';
import { localService } from './local/service';
import type { FakeOptions } from './options.ts';

export type { FakeCustomer, FakeOptions } from './options.ts';

/**
 * A flow of a document, for Storybook, tests and design: what `createFlow` returns, without a service. The service's own
 * rules decide where each step leads. Nothing is counted, limits hold nobody back, and no billing system is asked.
 *
 * @param yaml the text of the document, in YAML or JSON, as `retention-flow export` writes it
 * @throws Error with a line for each fault of the document, or of the options
 */
export function fakeFlow(yaml: string, options: FakeOptions = {}): Flow {
  const { flow: key, customer: { id, attributes } = {}, cancelUrl } = options;
  const service = localService(flowIn(yaml, key), options);
  const browser = world();
  let keys = 0;
  const flow = createFlow(
    { api: '', flow: key ?? '', cancelUrl, ...(id !== undefined && { customer: { id, attributes } }) },
    {
      fetch: service,
      now: () => browser.now(),
      after: (milliseconds, callback) => browser.after(milliseconds, callback),
      storage: inMemory(),
      randomKey: () => String(keys++),
    },
  );
  const local = new WeakMap<View, View>();
  return {
    ...flow,
    getView() {
      const view = flow.getView();
      const known = local.get(view) ?? { ...view, isLocal: true };
      local.set(view, known);
      return known;
    },
  };
}
