import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { replaced } from './support/proxies';

const UNIT = 'deploy/systemd/retention-flow@.service';
/** The highest exposure that systemd-analyze may find, in tenths. */
const EXPOSURE = 15;

describe('The systemd unit', () => {
  let folder: string;
  let unit: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'retention-flow-systemd-'));
    unit = join(folder, 'retention-flow@3000.service');
    const program = { '/usr/bin/node': process.execPath, '/opt/retention-flow/src': resolve('dist/src') };
    writeFileSync(unit, replaced(UNIT, program));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };

  it('has no directive that systemd does not know', () => {
    expect(analyze('verify')).toEqual({ status: 0, output: '' });
  });

  it(`is exposed by at most ${EXPOSURE / 10} of 10`, () => {
    expect(analyze('security', '--offline=true', `--threshold=${EXPOSURE}`)).toMatchObject({ status: 0 });
  });

  it('gives the service longer to stop than the 10 s that it takes', () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(replaced(UNIT, {}))!;
    expect(Number(seconds)).toBeGreaterThan(10);
  });
});
