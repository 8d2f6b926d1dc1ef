import { ServiceProcess } from '../support/service-process';
import { Databases } from '../support/databases';

/** Lines of 200 bytes: more than the buffers of the pipe and its reader hold. */
const MANY = 4000;

describe('The log of a process', () => {
  const databases = new Databases();
  let service: ServiceProcess;
  let address: string;

  beforeEach(async () => {
    service = ServiceProcess.start({ DATABASE_URL: await databases.create(), LOG_LEVEL: 'info' });
    address = await service.address();
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
  });

  const name = (id: number) => `request-${String(id).padStart(56, '0')}`;

  const request = (id: number) => fetch(`${address}/livez`, { headers: { 'request-id': name(id) } });

  async function requestMany(): Promise<void> {
    for (let id = 0; id < MANY; id++) {
      const response = await request(id);
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
  }

  const logged = () => [...service.stdout.matchAll(/"request_id":"request-(\d+)"/g)].map(([, id]) => Number(id));

  it('is written promptly, without waiting for another request', async () => {
    await request(1);
    await service.untilPrinted(new RegExp(name(1)));
  });

  it('is complete and in order when the process has ended', async () => {
    await requestMany();
    service.signal('SIGINT');
    expect(await service.ended).toBe(0);
    expect(logged()).toEqual(Array.from({ length: MANY }, (_, id) => id));
  });

  it('delays no request while its reader has stopped, and continues when it reads again', async () => {
    service.stopReading();
    await requestMany();
    service.startReading();
    await service.untilPrinted(new RegExp(name(MANY - 1)));
    expect(logged()).toEqual(Array.from({ length: MANY }, (_, id) => id));
  });

  it('may lose its reader: requests are still served, and SIGTERM still drains', async () => {
    service.closeReader();
    await requestMany();
    service.signal('SIGTERM');
    while ((await fetch(`${address}/readyz`)).status !== 503);
    expect((await request(1)).status).toBe(200);
    expect(await service.ended).toBe(0);
    expect(service.stderr).toBe('');
  });

  it('does not keep the process running when the same Ctrl-C ended its reader', async () => {
    const piped = ServiceProcess.startPiped({ DATABASE_URL: await databases.create(), LOG_LEVEL: 'info' });
    await fetch(`${await piped.address()}/livez`);
    piped.signal('SIGINT');
    await piped.ended;
    expect(piped.stderr).toBe('');
  });

  it('does not keep the process running when its reader has stopped', async () => {
    service.stopReading();
    await requestMany();
    service.signal('SIGINT');
    expect(await service.exited).toBe(0);
  });
});
