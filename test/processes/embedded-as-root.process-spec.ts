import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
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
import { ConfigError } from '../../src/settings/config';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres';
import { placeData, processOptions, unprivilegedAccount } from '../../src/platform/database/embedded/placement';

/**
 * As the account of Postgres, keeps replacing the unfinished cluster and its password with links to a folder of root.
 */
const INTRUDER = `
  my ($dataDir, $target) = @ARGV;
  $| = 1;
  print "ready\\n";
  for (;;) {
    for my $folder (glob "$dataDir/starting-*") {
      rename "$folder/cluster", "$folder/aside" and symlink $target, "$folder/cluster";
      unlink "$folder/password" and symlink "$target/file", "$folder/password";
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

    const targetIsUntouched = () => {
      expect(readdirSync(target)).toEqual(['file']);
      expect([target, secret].map((path) => statSync(path).uid)).toEqual([0, 0]);
      expect(statSync(secret).mode & 0o777).toBe(0o600);
      expect(readFileSync(secret, 'utf8')).toBe('only root writes here\n');
    };

    async function start(): Promise<void> {
      servers.push(await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off', shared_buffers: '16MB' } }));
    }

    it('runs under an unprivileged account, which owns the cluster and nothing else', async () => {
      await start();
      const cluster = join(dataDir, 'postgres');
      const pid = parseInt(readFileSync(join(cluster, 'cluster', 'postmaster.pid'), 'utf8'), 10);
      expect(Number(execFileSync('ps', ['-o', 'uid=', '-p', String(pid)]))).toBe(account.uid);
      expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres.log']);
      const owners = [dataDir, join(dataDir, 'postgres.log'), cluster].map((path) => statSync(path).uid);
      expect(owners).toEqual([0, 0, account.uid]);
    });

    it('gives that account no file of root, even if it puts links into the folder during the first start', async () => {
      const options = processOptions(account);
      intruder = spawn('perl', ['-e', INTRUDER, dataDir, target], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
      await once(intruder.stdout!, 'data');
      await expect(start()).rejects.toThrow(ConfigError);
      targetIsUntouched();
    });

    it('reads no password through a link that the account has put there', async () => {
      await start();
      await servers.pop()!.stop();
      const passwordFile = join(dataDir, 'postgres', 'password');
      rmSync(passwordFile);
      symlinkSync(secret, passwordFile);
      await expect(start()).rejects.toThrow(/password: Permission denied/);
    });

    it('writes no log through a link', async () => {
      symlinkSync(secret, join(dataDir, 'postgres.log'));
      await expect(start()).rejects.toThrow('ELOOP');
      targetIsUntouched();
    });

    it('removes what an earlier start left unfinished, but nothing that links there lead to', async () => {
      const left = join(dataDir, 'starting-000000');
      mkdirSync(left);
      symlinkSync(target, join(left, 'cluster'));
      for (const path of [join(left, 'cluster'), left]) lchownSync(path, account.uid, account.gid);
      await start();
      expect(existsSync(left)).toBe(false);
      targetIsUntouched();
    });

    it('refuses data that belong to root, for example restored without their owners, and says the command', async () => {
      const cluster = join(dataDir, 'postgres');
      mkdirSync(cluster);
      const owner = `${account.uid}:${account.gid}`;
      await expect(start()).rejects.toThrow(`DATA_DIR ${dataDir} can't be used: `);
      await expect(start()).rejects.toThrow(`Run: chown -R ${owner} ${cluster}`);
    });

    it('keeps data that exist under the account that owns them', () => {
      const cluster = join(dataDir, 'postgres');
      mkdirSync(cluster);
      chownSync(cluster, 4711, 4712);
      expect(placeData(dataDir)).toEqual({ dataDir, account: { uid: 4711, gid: 4712 } });
    });

    describe.each([
      ['that its account owns', (folder: string) => chownSync(folder, account.uid, account.gid)],
      ['that every account can write to', (folder: string) => chmodSync(folder, 0o777)],
    ])('in a folder %s', (_, open) => {
      let folder: string;

      beforeEach(() => {
        folder = dataDir;
        dataDir = join(folder, 'data');
        mkdirSync(dataDir);
      });

      it('refuses data that exist, and says what to do', async () => {
        const cluster = join(dataDir, 'postgres');
        mkdirSync(cluster);
        chownSync(cluster, account.uid, account.gid);
        open(folder);
        const refused = start();
        await expect(refused).rejects.toThrow(ConfigError);
        await expect(refused).rejects.toThrow(`DATA_DIR ${dataDir} can't be used by root: `);
        await expect(refused).rejects.toThrow(`Make ${folder} writable by root alone, or start the service as uid `);
      });

      it('keeps new data under /var/lib, and says where', () => {
        open(folder);
        keepsDataElsewhere();
      });
    });

    it('keeps the data of a folder that its account cannot reach under /var/lib, and says where', () => {
      const home = dataDir;
      dataDir = join(home, 'data');
      chmodSync(home, 0o700);
      keepsDataElsewhere();
    });

    function keepsDataElsewhere(): void {
      const lines: string[] = [];
      const placement = placeData(dataDir, (line) => lines.push(line));
      folders.push(placement.dataDir);
      expect(placement.dataDir).toMatch(/^\/var\/lib\/retention-flow-service\/data-/);
      expect(placement.account).toEqual(account);
      expect(lines).toEqual([expect.stringMatching(`^The data are in ${placement.dataDir}: .* ${dataDir} `)]);
      // The next start finds them there.
      mkdirSync(join(placement.dataDir, 'postgres'));
      chownSync(join(placement.dataDir, 'postgres'), 4711, 4712);
      expect(placeData(dataDir)).toEqual({ dataDir: placement.dataDir, account: { uid: 4711, gid: 4712 } });
    }
  });
}

if (!isRoot) {
  describe('The embedded Postgres, started by an ordinary user', () => {
    it('runs under that user, in the folder that was asked for', () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'as-user-'));
      expect(placeData(dataDir)).toEqual({ dataDir });
      rmSync(dataDir, { recursive: true });
    });
  });
}
