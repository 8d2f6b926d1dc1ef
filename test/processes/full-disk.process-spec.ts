import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/free-port';
import { mayMount } from '../support/may-mount';
import { ServiceProcess } from '../support/service-process';
import { Databases } from '../support/databases';

const REQUESTS = 200;
const DISK_BYTES = 128 * 1024;
const name = (id: number) => `request-${id}`;

describe('A log file on a full disk', () => {
  const databases = new Databases();
  let env: Record<string, string>;
  let address: string;

  beforeEach(async () => {
    env = { DATABASE_URL: await databases.create(), LOG_LEVEL: 'info' };
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
  });

  const request = (id: number) => fetch(`${address}/livez`, { headers: { 'request-id': name(id) } });

  async function requestAll(): Promise<void> {
    for (let id = 0; id < REQUESTS; id++) expect((await request(id)).status).toBe(200);
  }

  /** The service, with its output in a file. */
  function startOn(path: string, settings: object = {}): ServiceProcess {
    const file = openSync(path, 'a');
    const service = ServiceProcess.start({ ...env, ...settings }, file);
    closeSync(file);
    return service;
  }

  it('delays no request, and SIGTERM still drains', async () => {
    const port = String(await freePort());
    const service = startOn('/dev/full', { PORT: port });
    address = `http://127.0.0.1:${port}`;
    while (service.isRunning && !(await request(0).catch(() => undefined))) await pause(10);
    await requestAll();
    service.signal('SIGTERM');
    while ((await fetch(`${address}/readyz`)).status !== 503);
    expect((await request(1)).status).toBe(200);
    expect(await service.ended).toBe(0);
    expect(service.stderr).toBe('');
  });

  if (mayMount()) {
    describe('with room again', () => {
      let disk: string;

      beforeEach(() => {
        disk = mkdtempSync(join(tmpdir(), 'full-disk-'));
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk]);
      });
      afterEach(async () => {
        await ServiceProcess.killAll();
        execFileSync('umount', [disk]);
        rmSync(disk, { recursive: true });
      });

      const text = () => readFileSync(join(disk, 'log'), 'utf8');
      const fill = () => expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(DISK_BYTES))).toThrow('ENOSPC');

      it('continues with every line that was logged meanwhile', async () => {
        const service = startOn(join(disk, 'log'));
        const ready = /is ready on (\S+)/;
        while (service.isRunning && !ready.test(text())) await pause(10);
        [, address] = ready.exec(text())!;
        fill();
        await requestAll();
        expect(text()).not.toContain(name(REQUESTS - 1));

        rmSync(join(disk, 'filler'));
        while (!text().includes(name(REQUESTS - 1))) await pause(10);
        const lines = text().trimEnd().split('\n');
        const ids = lines.flatMap((line) => (JSON.parse(line) as { request_id?: string }).request_id ?? []);
        expect(ids).toEqual(Array.from({ length: REQUESTS }, (_, id) => name(id)));

        fill();
        await request(0);
        service.signal('SIGINT');
        expect(await service.ended).toBe(0);
      });
    });
  }
});
