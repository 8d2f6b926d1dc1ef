import type { Flow } from './acme';

interface Step {
  node_key: string;
  action: string;
  option?: string;
  comment?: string;
}

/**
 * A customer's visit, by the runtime interface: a session with these steps. A `customer` may be a token. Returns how it
 * goes on.
 */
export async function visit(
  service: string,
  { slug }: Flow,
  steps: Step[],
  customer?: object | string,
): Promise<(...more: Step[]) => Promise<void>> {
  const { session_id } = await post<{ session_id: string }>(`${service}/api/v1/runtime/session/init`, {
    flow_slug: slug,
    ...(typeof customer === 'string' ? { customer_token: customer } : { customer }),
  });
  const goOn = async (...more: Step[]) => {
    for (const step of more) await post(`${service}/api/v1/runtime/session/${session_id}/step`, step);
  };
  await goOn(...steps);
  return goOn;
}

/**
 * A customer's visit to a flow that begins with `start`: what they do depends on the type of what is shown, until
 * nothing is.
 */
export async function visitBy(
  service: string,
  { slug }: Flow,
  actions: Record<string, string>,
  customer: object,
): Promise<void> {
  const path = `${service}/api/v1/runtime/session`;
  const { session_id } = await post<{ session_id: string }>(`${path}/init`, { flow_slug: slug, customer });
  let node: { key: string; type: string } | null = { key: 'start', type: 'start' };
  while (node) {
    const step: object = { node_key: node.key, action: actions[node.type] };
    ({ node } = await post<{ node: typeof node }>(`${path}/${session_id}/step`, step));
  }
}

async function post<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
