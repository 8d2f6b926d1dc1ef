import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { until } from '../support/until';
import { API_KEYS, issueKey, type ListedKey, listKeys } from './issued-key';

const OWN = '/api/v1/public/workspace';

describe('last_used_at of an API key', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const issue = (fields?: object) => issueKey(service, acme, fields);
  const listed = async (id: string): Promise<ListedKey> => (await listKeys(acme)).find((item) => item.id === id)!;

  it('is the time of the last use', async () => {
    const { id, client } = await issue();
    await service.letPass('1 day', acme);
    expect((await listed(id)).last_used_at).toBeNull();
    expect((await client.get(OWN)).status).toBe(200);
    // It is written after the response, so this waits for it.
    await until(
      () => listed(id),
      ({ last_used_at }) => last_used_at !== null,
    );
    const [{ ago }] = await service.database.query(
      `SELECT now() - last_used_at < '1 minute' AS ago FROM api_keys WHERE id = $1`,
      [id],
    );
    expect(ago).toBe(true);
  });

  it('is written at most once a minute, across processes', async () => {
    const { id, key } = await issue();
    await useInAnotherProcess(key);
    await service.letPass('30 seconds', acme);
    const { last_used_at } = await listed(id);
    expect(last_used_at).not.toBeNull();
    await useInAnotherProcess(key);
    expect((await listed(id)).last_used_at).toBe(last_used_at);
    await service.letPass('30 seconds', acme);
    await useInAnotherProcess(key);
    expect(Date.parse((await listed(id)).last_used_at!)).toBeGreaterThan(Date.parse(last_used_at!));
  });

  it('does not change when the key is refused', async () => {
    const { id, key } = await issue();
    await acme.client.delete(`${API_KEYS}/${id}`);
    await useInAnotherProcess(key);
    expect((await listed(id)).last_used_at).toBeNull();
  });

  /** A process that has stopped has written last_used_at. */
  async function useInAnotherProcess(key: string): Promise<void> {
    const process = await Service.start();
    await process.client.with(key).get(OWN);
    await process.stop();
  }
});
