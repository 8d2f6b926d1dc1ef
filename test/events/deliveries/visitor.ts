import type { Service } from '../../support/service';

const RUNTIME = '/api/v1/runtime/session';

/** A customer on the way through a simple flow. */
export class Visitor {
  private constructor(
    private readonly service: Service,
    readonly sessionId: string,
  ) {}

  /** @param customer as the page names one, or a customer token */
  static async begin(service: Service, flow: { slug: string }, customer?: object | string): Promise<Visitor> {
    const named = typeof customer === 'string' ? { customer_token: customer } : { customer };
    const { body } = await service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug, ...named });
    return new Visitor(service, body.session_id);
  }

  /** Begins and cancels at once. */
  static async cancels(service: Service, flow: { slug: string }, customer?: object): Promise<Visitor> {
    const visitor = await Visitor.begin(service, flow, customer);
    await visitor.cancel();
    return visitor;
  }

  async answer(comment?: string): Promise<void> {
    await this.step({ node_key: 'start', action: 'continue' });
    await this.step({ node_key: 'reason', action: 'answer', option: 'too_expensive', comment });
  }

  accept = (choice: object = {}) => this.step({ node_key: 'offer_1', action: 'accept', ...choice });
  decline = () => this.step({ node_key: 'offer_1', action: 'decline' });
  keep = () => this.step({ node_key: 'confirm', action: 'keep' });
  cancel = () => this.step({ action: 'cancel' });

  /** The id of the session's record. */
  async recordId(): Promise<string> {
    const [{ id }] = await this.service.database.query<{ id: string }[]>(
      'SELECT id FROM flow_sessions WHERE session_id = $1',
      [this.sessionId],
    );
    return id;
  }

  private async step(body: object): Promise<void> {
    const { status } = await this.service.client.post(`${RUNTIME}/${this.sessionId}/step`, body);
    expect(status).toBe(200);
  }
}
