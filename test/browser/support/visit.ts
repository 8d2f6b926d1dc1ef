import type { Flow } from './acme';

interface Step {
  node_key: string;
  action: string;
  option?: string;
}

/** A customer's visit, by the runtime interface: a session with these steps. A `customer` may be a token. */
export async function visit(service: string, { slug }: Flow, steps: Step[], customer?: object | string): Promise<void> {
  const { session_id } = await post<{ session_id: string }>(`${service}/api/v1/runtime/session/init`, {
    flow_slug: slug,
    ...(typeof customer === 'string' ? { customer_token: customer } : { customer }),
  });
  for (const step of steps) await post(`${service}/api/v1/runtime/session/${session_id}/step`, step);
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
