import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../config';
import { processOptions, unprivilegedAccount } from './account';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres';
import { placeData } from './placement';

jest.setTimeout(60_000);

/** Tries without end to put links to a folder of root's where a start is about to write or to change an owner. */
const INTRUDER = `
  my ($dataDir, $target) = @ARGV;
  $| = 1;
  print "ready\\n";
  for (;;) {
    for my $scratch (glob "$dataDir/starting-*") {
      symlink "$target/file", "$scratch/postgres.log";
      rename "$scratch/postgres", "$scratch/aside" and symlink $target, "$scratch/postgres";
    }
  }`;

const isRoot = process.getuid!() === 0;

if (isRoot) {
  describe('The embedded Postgres, started by root', () => {
    const account = unprivilegedAccount()!;
    const folders: string[] = [];
    const servers: EmbeddedPostgres[] = [];
    let intruder: ChildProcess | undefined;
    let dataDir: string;
    let target: string;
    let secret: string;

    beforeEach(() => {
      dataDir = newFolder();
      target = newFolder();
      secret = join(target, 'file');
      writeFileSync(secret, 'only root writes here\n', { mode: 0o600 });
    });
    afterEach(async () => {
      intruder?.kill('SIGKILL');
      for (const server of servers.splice(0)) await server.stop();
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
    });

    function newFolder(): string {
      const folder = mkdtempSync(join(tmpdir(), 'as-root-'));
      chmodSync(folder, 0o755);
      folders.push(folder);
      return folder;
    }

    const targetIsRoots = () => {
      expect(readdirSync(target)).toEqual(['file']);
      expect([target, secret].map((path) => statSync(path).uid)).toEqual([0, 0]);
      expect(statSync(secret).mode & 0o777).toBe(0o600);
      expect(readFileSync(secret, 'utf8')).toBe('only root writes here\n');
    };

    async function start(): Promise<void> {
      servers.push(await startEmbeddedPostgres({ dataDir, settings: { shared_buffers: '16MB' } }));
    }

    it('gives its account nothing of what that leads to, whatever the account does during the first start', async () => {
      const options = { ...processOptions(account), cwd: '/' };
      intruder = spawn('perl', ['-e', INTRUDER, dataDir, target], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
      await once(intruder.stdout!, 'data');
      const failure = await start().catch((error: unknown) => error);
      targetIsRoots();
      expect(failure).toBeUndefined();
      expect(statSync(join(dataDir, 'postgres')).uid).toBe(account.uid);
      expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres.log']);
    });

    it('writes its log beside a link that stands in its place, and not where it leads', async () => {
      symlinkSync(secret, join(dataDir, 'postgres.log'));
      await start();
      targetIsRoots();
      expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('ready to accept connections');
    });

    it('takes over a restored backup, but nothing that it leads to', async () => {
      await start();
      await servers.pop()!.stop();
      const home = join(dataDir, 'postgres');
      symlinkSync(target, join(home, 'link'));
      spawnSync('chown', ['-Rh', '0:0', home]);
      await start();
      targetIsRoots();
      expect(statSync(home).uid).toBe(account.uid);
    });

    it('removes what an earlier start left behind, but nothing that it leads to', async () => {
      const left = join(dataDir, 'starting-000000');
      mkdirSync(left);
      mkdirSync(join(left, 'postgres'));
      symlinkSync(target, join(left, 'postgres', 'cluster'));
      for (const path of [join(left, 'postgres', 'cluster'), join(left, 'postgres')]) {
        lchownSync(path, account.uid, account.gid);
      }
      spawnSync('touch', ['-d', '2020-01-01', left]);
      await start();
      expect(existsSync(left)).toBe(false);
      targetIsRoots();
    });

    describe.each([
      ['that its account owns', (folder: string) => chownSync(folder, account.uid, account.gid)],
      ['that everybody may change', (folder: string) => chmodSync(folder, 0o777)],
    ])('in a folder %s', (_, open) => {
      let folder: string;

      beforeEach(() => {
        folder = dataDir;
        dataDir = join(folder, 'data');
        mkdirSync(dataDir);
      });

      it('does not work with data that exist, and says what to do', async () => {
        mkdirSync(join(dataDir, 'postgres'));
        open(folder);
        const refused = start();
        await expect(refused).rejects.toThrow(ConfigError);
        await expect(refused).rejects.toThrow(`DATA_DIR ${dataDir} can't be used by root: `);
        await expect(refused).rejects.toThrow(`Give ${folder} to root, or start the service as ${account.name}.`);
        expect(statSync(join(dataDir, 'postgres')).uid).toBe(0);
      });

      it('keeps no new data, but elsewhere, and says where', () => {
        open(folder);
        const said: string[] = [];
        const placement = placeData(dataDir, (line) => said.push(line));
        folders.push(placement.dataDir);
        expect(placement.dataDir).toMatch(/^\/var\/lib\/retention-flow-service\/data-/);
        expect(said).toEqual([expect.stringMatching(`^The data of ${dataDir} are in ${placement.dataDir}: `)]);
      });
    });
  });
}

// Only root has an account to keep out. Others have nothing to give away, as long as there is none.
if (!isRoot) {
  describe('The embedded Postgres, started by an ordinary user', () => {
    it('runs under the account of that user, in the folder that was asked for', () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'as-user-'));
      expect(placeData(dataDir, () => {})).toEqual({ dataDir });
      rmSync(dataDir, { recursive: true });
    });
  });
}
