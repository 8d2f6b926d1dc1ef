import { Logger } from '@nestjs/common';
import { Metrics } from '../../metrics/metrics';
import { Config } from '../../../settings/config';
import { Jobs } from './jobs.service';

describe('Work in the background', () => {
  beforeAll(() => Logger.overrideLogger(false));

  const lastDone = async (metrics: Metrics) =>
    Number(/^retention_background_last_done_timestamp_seconds\{work="Test"\} (\S+)$/m.exec(await metrics.text())![1]);

  it('says when it was last done, whether it failed since or not', async () => {
    const metrics = new Metrics();
    const jobs = new Jobs(Config.fromEnv({}), metrics);
    const found: number[] = [];
    await new Promise<void>((resolve) => {
      const run = async () => {
        found.push(await lastDone(metrics));
        if (found.length <= 3) throw new Error('It fails.');
        if (found.length === 5) resolve();
        return false;
      };
      jobs.add({ name: 'Test', everyMs: 1, run });
      jobs.onApplicationBootstrap();
    });
    await jobs.stop();
    const [started, ...later] = found;
    expect(later.slice(0, 3)).toEqual([started, started, started]);
    expect(later[3]).toBeGreaterThan(started);
  });

  it('runs now by its name, and says so if there is none of that name', () => {
    const jobs = new Jobs(Config.fromEnv({}), new Metrics());
    expect(() => jobs.runNow('Test')).toThrow('No job is called "Test"');
  });

  it('goes on without a pause while there is more, never twice at a time, and ends with what is under way', async () => {
    const jobs = new Jobs(Config.fromEnv({}), new Metrics());
    const events: string[] = [];
    await new Promise<void>((resolve) => {
      const run = async () => {
        events.push('begins');
        if (events.length === 1) jobs.runNow('Test');
        await Promise.resolve();
        events.push('is done');
        if (events.length === 6) resolve();
        return events.length === 4;
      };
      const end = () => Promise.resolve(void events.push('has ended'));
      jobs.add({ name: 'Test', everyMs: 60_000, run, end });
      jobs.onApplicationBootstrap();
    });
    await Promise.all([jobs.stop(), jobs.stop()]);
    expect(events).toEqual(['begins', 'is done', 'begins', 'is done', 'begins', 'is done', 'has ended']);
  });

  it('is named in the log when it fails', async () => {
    const jobs = new Jobs(Config.fromEnv({}), new Metrics());
    const logged = jest.spyOn(Logger.prototype, 'error');
    await new Promise<void>((resolve) => {
      jobs.add({ name: 'Test', everyMs: 60_000, run: () => Promise.reject(new Error('It fails.')).finally(resolve) });
      jobs.onApplicationBootstrap();
    });
    await jobs.stop();
    expect(logged.mock.calls).toEqual([['Test: Error: It fails.', expect.stringContaining('jobs.service.spec')]]);
    logged.mockRestore();
  });

  it('goes on with the next workspace when one fails, until the service stops', async () => {
    const jobs = new Jobs(Config.fromEnv({}), new Metrics());
    const job = jobs.add({ name: 'Test', everyMs: 60_000, run: () => Promise.resolve(false) });
    const done: string[] = [];
    await job.forEach(
      ['1', '2', '3'].map((workspace_id) => ({ workspace_id })),
      async ({ workspace_id }) => {
        done.push(workspace_id);
        if (workspace_id === '2') await jobs.stop();
        throw new Error('It fails.');
      },
    );
    expect(done).toEqual(['1', '2']);
  });

  it('is not done with BACKGROUND_JOBS=false', async () => {
    const jobs = new Jobs(Config.fromEnv({ BACKGROUND_JOBS: 'false' }), new Metrics());
    const run = jest.fn();
    const end = jest.fn();
    const job = jobs.add({ name: 'Test', everyMs: 1, run, end });
    jobs.onApplicationBootstrap();
    job.wake();
    await jobs.stop();
    expect([run, end].map(({ mock }) => mock.calls)).toEqual([[], []]);
  });
});
