import { randomUUID } from 'node:crypto';
import { serviceForAll, workspaceForEach } from '../support/service';
import { announcements, outboxOf, withoutOutbox } from './outbox';

const FLOWS = '/api/v1/public/flows';

describe('Events of flows', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let id: string;

  beforeEach(async () => {
    ({ id } = await acme.flow());
  });

  const put = async (changes: object) => (await acme.client.put(`${FLOWS}/${id}`, changes)).status;
  const remove = async () => (await acme.client.delete(`${FLOWS}/${id}`)).status;
  const entries = () => outboxOf(service, acme, 'flow');
  const entry = (type: string, version: number, more?: object) => ({
    type,
    flow_session_ids: null,
    data: { flow_id: id, version, ...more },
  });

  /** What the next change adds. */
  async function added(change: () => Promise<number>): Promise<unknown[]> {
    const before = await entries();
    expect(await change()).toBe(200);
    return (await entries()).slice(before.length);
  }

  it('tell what customers see from now on, and no other change', async () => {
    const published = (version: number) => [entry('flow.published', version, { note: null })];
    expect(await added(() => put({ name: 'Draft' }))).toEqual([]);
    expect(await added(() => put({ status: 'published' }))).toEqual(published(2));
    expect(await added(() => put({ status: 'published' }))).toEqual([]);
    expect(await added(() => put({ description: 'Ours', name: 'Draft' }))).toEqual([]);
    expect(await added(() => put({ metadata: { ours: 'too' } }))).toEqual([]);
    expect(await added(() => put({ name: 'Leaving' }))).toEqual(published(3));
    expect(await added(() => put({ status: 'draft' }))).toEqual([]);
    expect(await added(() => put({ name: 'Going' }))).toEqual([]);
    expect(await added(() => put({ name: 'Leaving', status: 'published' }))).toEqual(published(5));
  });

  it('tell that a flow was archived, once', async () => {
    await put({ status: 'published' });
    const archived = (version: number) => [entry('flow.archived', version)];
    expect(await added(() => put({ status: 'archived' }))).toEqual(archived(1));
    expect(await added(() => put({ status: 'archived', name: 'Gone' }))).toEqual([]);
    expect(await added(remove)).toEqual([]);
    expect(await added(() => put({ status: 'published' }))).toEqual([entry('flow.published', 2, { note: null })]);
    expect(await added(remove)).toEqual(archived(2));
    expect(await added(remove)).toEqual([]);
    expect(await added(() => put({ status: 'draft' }))).toEqual([]);
    expect(await added(() => put({ status: 'archived', name: 'Gone again' }))).toEqual(archived(3));
  });

  it('come once when many archive it at once', async () => {
    const statuses = await Promise.all([remove(), remove(), remove(), put({ status: 'archived' }), remove()]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await entries()).toEqual([entry('flow.archived', 1)]);
  });

  it('are announced', async () => {
    const announced = announcements(service);
    await put({ status: 'published' });
    await put({ description: 'Ours' });
    await remove();
    expect(announced).toEqual([acme.id, acme.id]);
  });

  it("come of no change that is refused, and of no one else's flow", async () => {
    expect(await put({ status: 'published', offer_ids: [randomUUID()] })).toBe(400);
    const other = await service.workspace();
    expect((await other.client.delete(`${FLOWS}/${id}`)).status).toBe(404);
    expect((await other.client.put(`${FLOWS}/${id}`, { status: 'archived' })).status).toBe(404);
    expect([await entries(), await outboxOf(service, other, 'flow')]).toEqual([[], []]);
  });

  it('are committed with the change, or neither is', async () => {
    await withoutOutbox(service, acme, async () => {
      expect(await put({ status: 'published', name: 'Leaving' })).toBe(500);
      expect(await remove()).toBe(500);
    });
    expect((await acme.client.get(`${FLOWS}/${id}`)).body).toMatchObject({ status: 'draft', current_version: 1 });
    expect(await entries()).toEqual([]);
  });
});
