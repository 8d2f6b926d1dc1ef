import { addDemoData, type DemoData, removeDemoData } from '../../../src/app/example/demo-data';
import { DEMO_FLOW } from '../../../src/app/example/demo-flow';
import type { Client } from '../../support/client';
import { migrate } from '../../../src/platform/database/schema/migrate';
import { DailySums } from '../../../src/statistics/sums/daily-sums.service';
import { Databases } from '../../support/databases';
import { Service, serviceForAll } from '../../support/service';

const BASE = '/api/v1/public';

describe('The example data', () => {
  const databases = new Databases();
  // The data goes into the oldest workspace, so no other suite may have made one.
  const service = serviceForAll(async () => {
    const DATABASE_URL = await databases.create();
    await migrate(DATABASE_URL);
    return Service.start({ DATABASE_URL });
  });
  afterAll(() => databases.dropAll());
  let added: DemoData;
  let client: Client;
  let flow: { id: string; slug: string };
  let ownSession: string;

  const read = async (path: string) => (await client.get(`${BASE}${path}`)).body;
  const usedSessions = async () => (await read('/workspace')).usage.sessions_used as number;
  const flowsNow = async () => (await read('/flows')).flows as { id: string; name: string; slug: string }[];

  beforeAll(async () => {
    added = (await addDemoData(service.app))!;
    client = service.client.with(added.apiKey!);
    [flow] = await flowsNow();
  });

  it('says of itself that it is made up, and the numbers of all pages agree on it', async () => {
    expect(flow).toMatchObject({ name: DEMO_FLOW, status: 'published' });
    const from = new Date(Date.now() - 61 * 86_400_000).toISOString();
    const stats = await read(`/flows/${flow.id}/stats?from=${from}`);
    expect(stats.sessions.total).toBe(added.sessions);
    expect(stats.sessions).toMatchObject({
      saved: expect.any(Number),
      canceled: expect.any(Number),
      abandoned: expect.any(Number),
    });
    const { days } = await read(`/flows/${flow.id}/stats/daily?from=${from}`);
    // Today's come from 7 to 20 o'clock.
    const withSessions = days.filter(({ sessions }: { sessions: number }) => sessions > 0);
    expect(withSessions.length).toBeGreaterThanOrEqual(59);
    expect(stats.offers.map(({ name }: { name: string }) => name)).toEqual(
      stats.offers.map(() => expect.stringContaining('(example data)')),
    );
  });

  it.each(['', '?from=2020-01-01T00:00:00Z'])('has a test that is decided: %s', async (span) => {
    const { splits } = await read(`/flows/${flow.id}/stats${span}`);
    expect(splits).toEqual([
      expect.objectContaining({
        node_key: 'discount',
        verdict: expect.objectContaining({ result: 'apart', better: 'half', worse: 'year' }),
      }),
    ]);
  });

  it('has comments in two languages, which are found by their words', async () => {
    const found = async (locale: string) => {
      const { comments } = await read(`/comments?flow_id=${flow.id}&q=export&locale=${locale}`);
      return (comments as { comment: string }[]).map(({ comment }) => comment);
    };
    expect(new Set(await found('en'))).toEqual(new Set(['No export to Excel.']));
    expect(new Set(await found('de'))).toEqual(new Set(['Der Export nach Excel fehlt.']));
  });

  it('counts its sessions of this month, and has a whole record of each', async () => {
    const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth())).toISOString();
    expect(await usedSessions()).toBe((await read(`/flows/${flow.id}/stats?from=${month}`)).sessions.total);
    const { sessions } = await read(`/sessions?flow_id=${flow.id}&status=saved&limit=1`);
    const record = await read(`/sessions/${sessions[0].id}`);
    expect(record.steps.at(-1)).toMatchObject({ action: expect.stringMatching(/^(accept|keep)$/) });
    expect(record.customer_id).toMatch(/^example-\d+$/);
  });

  it('tells nobody: it is no events', async () => {
    expect((await read('/events')).events).toEqual([]);
  });

  it('is there once', async () => {
    expect(await addDemoData(service.app)).toBeUndefined();
    expect(await flowsNow()).toHaveLength(1);
  });

  it('goes without a trace in the numbers, and leaves what is not of it', async () => {
    const { offers } = await read('/offers');
    const pause = (offers as { id: string; name: string }[]).find(({ name }) => name.startsWith('Pause'))!;
    const own = {
      name: `${DEMO_FLOW} for real`,
      product_name: 'Acme Pro',
      cancellation_url: 'https://acme.example/cancel',
      offer_ids: [pause.id],
    };
    const { body } = await client.post(`${BASE}/flows`, own);
    await client.put(`${BASE}/flows/${body.id}`, { status: 'published' });
    const started = await service.client.post('/api/v1/runtime/session/init', { flow_slug: body.slug });
    ownSession = started.body.session_id;

    expect(await removeDemoData(service.app)).toBe(true);
    expect((await flowsNow()).map(({ name }) => name)).toEqual([own.name]);
    expect((await read('/offers')).offers).toEqual([expect.objectContaining({ id: pause.id })]);
    expect((await read('/stats')).sessions.total).toBe(1);
    expect(await usedSessions()).toBe(1);
    expect((await read('/comments')).comments).toEqual([]);
    expect(await removeDemoData(service.app)).toBe(false);
  });

  it('is counted beside the sums of sessions before', async () => {
    await service.begunAt(new Date(Date.now() - 3 * 86_400_000).toISOString(), ownSession);
    while (await service.app.get(DailySums).sumNext());
    const again = (await addDemoData(service.app))!;
    expect(again.apiKey).toBeUndefined();
    const total = async () => (await read('/stats?from=2020-01-01T00:00:00Z')).sessions.total as number;
    expect(await total()).toBe(again.sessions + 1);
    while (await service.app.get(DailySums).sumNext());
    expect(await total()).toBe(again.sessions + 1);
    // Whoever has archived the flow by hand gets rid of its sessions, too.
    const { id } = (await flowsNow()).find(({ name }) => name === DEMO_FLOW)!;
    await client.delete(`${BASE}/flows/${id}`);
    expect(await removeDemoData(service.app)).toBe(true);
    expect(await total()).toBe(1);
  });

  it('is refused where customers come already', async () => {
    const { database } = service;
    const begun = `UPDATE daily_sums SET sessions = 101, kept = 0, accepted = 0, canceled = 0 WHERE kind = 'session'`;
    expect((await database.query<[unknown[], number]>(begun))[1]).toBe(1);
    await expect(addDemoData(service.app)).rejects.toThrow(
      /^The oldest workspace, "Example", has more than 100 sessions/,
    );
    expect(await flowsNow()).toHaveLength(1);
  });
});
