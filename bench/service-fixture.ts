import { randomBytes } from 'node:crypto';
import { INT4_MAX } from '../src/common/limits';
import { type Fixture, FLOWS, WORKSPACES } from './cases';

export const ADMIN_API_KEY = randomBytes(24).toString('hex');

const AT_ONCE = 16;

/** Fills the service through its own interface. */
export async function fillService(url: string): Promise<Fixture> {
  const send = async <Answer>(method: string, path: string, key: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  };

  const createWorkspace = async (name: string): Promise<string> => {
    const workspace = { name, session_limit: INT4_MAX };
    const path = '/api/v1/admin/workspaces';
    return (await send<{ api_key: { key: string } }>('POST', path, ADMIN_API_KEY, workspace)).api_key.key;
  };

  const publishFlow = async (key: string): Promise<{ id: string; slug: string }> => {
    const fields = { name: 'Leaving Acme Pro', product_name: 'Acme Pro', cancellation_url: 'https://acme.example/bye' };
    const flow = await send<{ id: string; slug: string }>('POST', '/api/v1/public/flows', key, fields);
    await send('PUT', `/api/v1/public/flows/${flow.id}`, key, { status: 'published' });
    return flow;
  };

  const { slug: hotSlug } = await publishFlow(await createWorkspace('Hot'));
  const many = await repeat(WORKSPACES, async (number) => publishFlow(await createWorkspace(`Workspace ${number}`)));
  const apiKey = await createWorkspace('Managed');
  const flows = await repeat(FLOWS, () => publishFlow(apiKey));
  return { hotSlug, slugs: many.map(({ slug }) => slug), apiKey, flowId: flows[0].id };
}

/** Does something a number of times, some at once, and answers all results. */
async function repeat<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
