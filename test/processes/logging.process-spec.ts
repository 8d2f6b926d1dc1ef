import { ServiceProcess } from '../support/service-process';
import { Databases } from '../support/databases';

jest.setTimeout(60_000);

/** Lines of 200 bytes: more than what a pipe holds, and whoever reads it. */
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

  const ask = (id: number) => fetch(`${address}/livez`, { headers: { 'request-id': name(id) } });

  async function askMany(): Promise<void> {
    for (let id = 0; id < MANY; id++) {
      const answer = await ask(id);
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    }
  }

  const logged = () => [...service.stdout.matchAll(/"request_id":"request-(\d+)"/g)].map(([, id]) => Number(id));

  it('is written while it runs, without a request that pushes it', async () => {
    await ask(1);
    await service.untilPrinted(new RegExp(name(1)));
  });

  it('is whole once the process has ended, in order', async () => {
    await askMany();
    service.signal('SIGINT');
    expect(await service.ended).toBe(0);
    expect(logged()).toEqual(Array.from({ length: MANY }, (_, id) => id));
  });

  it('keeps nobody waiting when its reader stops, and goes on when it is read again', async () => {
    service.stopReading();
    await askMany();
    service.startReading();
    await service.untilPrinted(new RegExp(name(MANY - 1)));
    expect(logged()).toEqual(Array.from({ length: MANY }, (_, id) => id));
  });
  it('may lose its reader: requests are answered, and SIGTERM drains as ever', async () => {
    service.closeReader();
    await askMany();
    service.signal('SIGTERM');
    while ((await fetch(`${address}/readyz`)).status !== 503);
    expect((await ask(1)).status).toBe(200);
    expect(await service.ended).toBe(0);
    expect(service.stderr).toBe('');
  });

  it('keeps no process whose reader ended with the same Ctrl-C', async () => {
    const piped = ServiceProcess.startPiped({ DATABASE_URL: await databases.create(), LOG_LEVEL: 'info' });
    await fetch(`${await piped.address()}/livez`);
    piped.signal('SIGINT');
    await piped.ended;
    expect(piped.stderr).toBe('');
  });

  it('keeps no process whose reader has stopped', async () => {
    service.stopReading();
    await askMany();
    service.signal('SIGINT');
    expect(await service.exited).toBe(0);
  });
});
