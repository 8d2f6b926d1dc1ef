import type { Service } from '../support/service';

const RUNTIME = '/api/v1/runtime/session';

export interface Step {
  action: string;
  option?: string;
  comment?: string;
}

export const go = { action: 'continue' };
export const because = (option: string): Step => ({ action: 'answer', option });
export const [accept, decline] = [{ action: 'accept' }, { action: 'decline' }];
export const [confirm, keep, cancel] = [{ action: 'confirm' }, { action: 'keep' }, { action: 'cancel' }];

/** Begins a session and takes these steps, each at the node where the session stands. Returns its session_id. */
export async function walk(
  service: Service,
  { slug, customer }: { slug: string; customer?: object },
  ...steps: Step[]
): Promise<string> {
  const { status, body } = await service.client.post(`${RUNTIME}/init`, { flow_slug: slug, customer });
  expect(status).toBe(201);
  let node_key: string | undefined = body.flow.entry_node.key;
  for (const step of steps) {
    const answer = await service.client.post(`${RUNTIME}/${body.session_id}/step`, { node_key, ...step });
    expect(answer.status).toBe(200);
    node_key = answer.body.node?.key;
  }
  return body.session_id as string;
}
