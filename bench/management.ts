const WORKSPACES = 1000;
const WORKSPACES_WITH_SEVERAL_FLOWS = 200;
const FLOWS = 5;
const LISTED_WORKSPACES = 10;
const LISTED_FLOWS = 100;
/** The largest that an installation can set. */
const SESSION_LIMIT = 2_147_483_647;
const CONCURRENCY = 16;

export const OFFER = {
  name: '30 % off for three months',
  offer_type: 'discount_percentage',
  offer_value: '30%',
  offer_duration: '3 months',
  heading: 'Stay for 30 % less',
  body: 'Keep everything you have, for 30 % less over the next three months.',
  cta_accept: 'Take 30 % off',
  cta_decline: 'No thanks',
};

export interface Workspace {
  apiKey: string;
  /** Published, each with one offer. */
  flows: { id: string; slug: string }[];
}

/** What requests can name. */
export interface Filled {
  /** One flow. */
  hot: Workspace;
  /** 10 workspaces with 100 flows each. */
  listed: Workspace[];
  /** 1,000 workspaces, the first 200 with 5 flows, the others with one. */
  workspaces: Workspace[];
  /** Those with 5 flows. */
  severalFlows: Workspace[];
}

/** The management interface of a server, as far as the benchmark needs it. */
export class Management {
  constructor(
    private readonly url: string,
    private readonly adminKey: string,
  ) {}

  async fill(): Promise<Filled> {
    const hot = await this.createWorkspace('Hot', 1);
    const listed = await this.createWorkspaces(LISTED_WORKSPACES, () => LISTED_FLOWS);
    const workspaces = await this.createWorkspaces(WORKSPACES, (index) =>
      index < WORKSPACES_WITH_SEVERAL_FLOWS ? FLOWS : 1,
    );
    return { hot, listed, workspaces, severalFlows: workspaces.slice(0, WORKSPACES_WITH_SEVERAL_FLOWS) };
  }

  /** The sessions that count against the limit of each workspace, by its id. */
  async sessionsUsed(): Promise<Map<string, number>> {
    const used = new Map<string, number>();
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/api/v1/admin/workspaces?limit=500${cursor && `&cursor=${cursor}`}`;
      const page = await this.send<WorkspacePage>('GET', path, this.adminKey);
      for (const { id, usage } of page.workspaces) used.set(id, usage.sessions_used);
      cursor = page.next_cursor;
    }
    return used;
  }

  /** A webhook in each workspace that asks for starts of sessions. */
  async createWebhooks(workspaces: Workspace[], url: string): Promise<void> {
    await concurrently(workspaces, ({ apiKey }) =>
      this.send('POST', '/api/v1/public/webhooks', apiKey, { url, event_types: ['session.started'] }),
    );
  }

  /** @param flowsOf how many flows the workspace with this index has */
  createWorkspaces(count: number, flowsOf: (index: number) => number): Promise<Workspace[]> {
    const indexes = Array.from({ length: count }, (_, index) => index);
    return concurrently(indexes, (index) => this.createWorkspace(`Workspace ${index + 1}`, flowsOf(index)));
  }

  private async createWorkspace(name: string, flowCount: number): Promise<Workspace> {
    const body = { name, session_limit: SESSION_LIMIT };
    const { api_key } = await this.send<CreatedWorkspace>('POST', '/api/v1/admin/workspaces', this.adminKey, body);
    const offer = await this.send<{ id: string }>('POST', '/api/v1/public/offers', api_key.key, OFFER);
    const flows: Workspace['flows'] = [];
    while (flows.length < flowCount) flows.push(await this.publishFlow(api_key.key, offer.id));
    return { apiKey: api_key.key, flows };
  }

  private async publishFlow(apiKey: string, offerId: string): Promise<{ id: string; slug: string }> {
    const { id, slug } = await this.send<{ id: string; slug: string }>('POST', '/api/v1/public/flows', apiKey, {
      name: 'Leaving Acme Pro',
      product_name: 'Acme Pro',
      cancellation_url: 'https://acme.example/cancel',
      offer_ids: [offerId],
    });
    await this.send('PUT', `/api/v1/public/flows/${id}`, apiKey, { status: 'published' });
    return { id, slug };
  }

  private async send<Body>(method: string, path: string, key: string, body?: object): Promise<Body> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Body;
  }
}

/** Does the work for each item, several at a time, and returns the results in order. */
async function concurrently<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}

interface CreatedWorkspace {
  api_key: { key: string };
}

interface WorkspacePage {
  workspaces: { id: string; usage: { sessions_used: number } }[];
  next_cursor: string | null;
}
