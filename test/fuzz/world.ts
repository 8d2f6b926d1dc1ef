import { ADMIN_API_KEY } from '../support/environment';
import type { Service, Tenant } from '../support/service';
import type { Bytes } from './damage';
import type { WireRequest } from './wire';

const INIT = '/api/v1/runtime/session/init';
const KEYS = '/api/v1/public/api-keys';

/** What the `{{names}}` of requests stand for: rows of a workspace and of a foreign one, each made when it is first named. */
export class World {
  private readonly made = new Map<string, Promise<unknown>>();

  private constructor(
    private readonly service: Service,
    readonly own: Tenant,
    private readonly foreign: Tenant,
  ) {}

  static async begin(service: Service): Promise<World> {
    return new World(service, await service.workspace(), await service.workspace());
  }

  /** The request with every name replaced. */
  async fill<T extends WireRequest>(request: T): Promise<T> {
    const { path, query, headers, body } = request;
    const fillAll = async (texts: Bytes[]): Promise<Bytes[]> => {
      const filled: Bytes[] = [];
      for (const text of texts) filled.push(await this.fillText(text));
      return filled;
    };
    const values = await fillAll(headers.map(([, value]) => value));
    return {
      ...request,
      path: await this.fillText(path),
      query: await fillAll(query),
      headers: headers.map(([name], index) => [name, values[index]]),
      ...(body !== undefined && { body: await this.fillText(body) }),
    };
  }

  private async fillText(text: Bytes): Promise<Bytes> {
    let filled = text;
    for (const [placeholder, name] of text.matchAll(/\{\{(\w+)\}\}/g)) {
      filled = filled.replace(placeholder, await this.makers[name]());
    }
    return filled;
  }

  private readonly makers: Record<string, () => Promise<string> | string> = {
    key: () => this.own.key,
    read_key: async () => (await this.key('read', this.own, { access: 'read' })).key,
    revoked_key: async () => (await this.revokedKey()).key,
    operator_key: () => ADMIN_API_KEY,
    spare_key_id: async () => (await this.key('spare')).id,
    revoked_key_id: async () => (await this.revokedKey()).id,
    foreign_key_id: async () => (await this.key('foreign', this.foreign)).id,
    workspace: () => this.own.id,
    foreign_workspace: () => this.foreign.id,
    offer: async () => (await this.once('offer', () => this.own.offer())).id,
    other_offer: async () => (await this.once('other offer', () => this.own.offer())).id,
    archived_offer: async () => (await this.archived('offers', () => this.own.offer())).id,
    foreign_offer: async () => (await this.once('foreign offer', () => this.foreign.offer())).id,
    flow: async () => (await this.published()).id,
    slug: async () => (await this.published()).slug,
    draft: async () => (await this.draft()).id,
    draft_slug: async () => (await this.draft()).slug,
    advanced: async () => (await this.once('advanced', () => this.own.publishedFlow({ flow_mode: 'advanced' }))).id,
    archived: async () => (await this.archived('flows', () => this.own.flow())).id,
    foreign_flow: async () => (await this.foreignFlow()).id,
    foreign_slug: async () => (await this.foreignFlow()).slug,
    // A cursor is an id, so that of a session leads on in every list.
    cursor: () => this.once('cursor', () => this.cursor()),
    at_start: () => this.session('at start'),
    at_survey: () => this.session('at survey', START),
    at_offer: () => this.session('at offer', START, REASON),
    at_confirm: () => this.session('at confirm', START, REASON, DECLINE),
    ended: () => this.session('ended', START, REASON, ACCEPT),
    foreign_session: async () => this.start('foreign session', (await this.foreignFlow()).slug),
  };

  private once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = (this.made.get(name) as Promise<T> | undefined) ?? make();
    this.made.set(name, made);
    return made;
  }

  private published() {
    return this.once('published', async () => this.own.publishedFlow({ offer_ids: [await this.makers.offer()] }));
  }

  private draft() {
    return this.once('draft', () => this.own.flow());
  }

  private foreignFlow() {
    return this.once('foreign flow', () => this.foreign.publishedFlow());
  }

  private archived(collection: string, make: () => Promise<{ id: string }>): Promise<{ id: string }> {
    return this.once(`archived ${collection}`, async () => {
      const { id } = await make();
      await this.own.client.delete(`/api/v1/public/${collection}/${id}`);
      return { id };
    });
  }

  private key(name: string, of = this.own, fields: object = {}): Promise<{ id: string; key: string }> {
    return this.once(`${name} key`, async () => (await of.client.post(KEYS, { name, ...fields })).body);
  }

  private async revokedKey(): Promise<{ id: string; key: string }> {
    const key = await this.key('revoked');
    await this.once('revocation', () => this.own.client.delete(`${KEYS}/${key.id}`));
    return key;
  }

  private async cursor(): Promise<string> {
    await this.session('at start');
    await this.session('at survey', START);
    return (await this.own.client.get('/api/v1/public/sessions?limit=1')).body.next_cursor;
  }

  /** A session of the published flow that has taken these steps. */
  private session(name: string, ...steps: object[]): Promise<string> {
    return this.once(name, async () => {
      const id = await this.start(`begun for ${name}`, (await this.published()).slug);
      for (const step of steps) await this.service.client.post(`/api/v1/runtime/session/${id}/step`, step);
      return id;
    });
  }

  private start(name: string, flow_slug: string): Promise<string> {
    return this.once(name, async () => {
      const customer = { id: name.startsWith('foreign') ? 'foreign_customer' : 'cus_4711' };
      return (await this.service.client.post(INIT, { flow_slug, customer })).body.session_id;
    });
  }
}

const START = { node_key: 'start', action: 'continue' };
const REASON = { node_key: 'reason', action: 'answer', option: 'other', comment: 'None of these.' };
const DECLINE = { node_key: 'offer_1', action: 'decline' };
const ACCEPT = { node_key: 'offer_1', action: 'accept' };
