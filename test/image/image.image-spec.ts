import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ADMIN_API_KEY } from '../support/environment';
import { databasesForAll, ServiceProcess } from '../support/service-process';

const root = process.env.IMAGE_ROOT!;
const config = JSON.parse(process.env.IMAGE_CONFIG!) as {
  User: string;
  Env: string[];
  Cmd: string[];
  WorkingDir: string;
  ExposedPorts: object;
  StopSignal: string;
  Healthcheck: { Test: string[] };
};
const env: Record<string, string> = Object.fromEntries(config.Env.map((setting) => setting.split(/=(.*)/s, 2)));

interface Sbom {
  components: { name: string; version: string; licenses: object[] }[];
}
/** The comment that a package's file stands behind in the bundle. */
const PACKAGE = /^ *\/\/ node_modules\/(?:.*\/node_modules\/)?((?:@[^/\n]+\/)?[^/\n]+)\//gm;
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

/** Arguments for a shell: the image's folder, its user, its working directory, and a command with its arguments. */
const RUN = `
  mount --bind "$0" "$0"
  mount --bind /proc "$0/proc"
  mount -o remount,bind,ro "$0"
  cd /
  root=$0 user=$1 folder=$2
  shift 2
  exec chroot "$root" setpriv --reuid="$user" --regid="$user" --init-groups \
    --bounding-set=-all --inh-caps=-all --no-new-privs env --chdir="$folder" "$@"`;

/** The command that runs another as a container with a read-only root and no capabilities would. */
const contained = (command: string[]) => {
  return ['unshare', '--mount', 'sh', '-ec', RUN, root, config.User, config.WorkingDir, ...command];
};
const run = (command: string[], settings: object = {}) => {
  const [program, ...args] = contained(command);
  return spawnSync(program, args, { encoding: 'utf8', env: { ...env, ...settings } });
};

describe('The image', () => {
  const databases = databasesForAll();
  let service: ServiceProcess;
  let address: string;

  beforeAll(async () => {
    service = await start();
    address = await service.address();
  });
  const start = async () => {
    return ServiceProcess.startCommand(contained(config.Cmd), { ...env, DATABASE_URL: await databases.create() });
  };
  const send = async (method: string, path: string, key: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${address}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as { [field: string]: string } };
  };

  it('says how it is run', () => {
    expect(config).toMatchObject({
      // Kubernetes' runAsNonRoot refuses a name.
      User: '1000',
      Cmd: ['node', '--max-semi-space-size=64', 'dist/src/main.js'],
      WorkingDir: '/app',
      ExposedPorts: { '3000/tcp': {} },
      StopSignal: 'SIGTERM',
    });
    expect(env).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' });
  });

  it('has nothing in /app but dist', () => {
    expect(execFileSync('ls', ['-A', `${root}/app`], { encoding: 'utf8' })).toBe('dist\n');
  });

  it('runs as an unprivileged user, who can write nowhere', () => {
    const { stdout, stderr } = run(['sh', '-c', 'id -un; grep CapBnd /proc/self/status; touch /tmp/file dist/file']);
    expect(stdout).toBe('node\nCapBnd:\t0000000000000000\n');
    expect(stderr.match(/Read-only file system/g)).toHaveLength(2);
  });

  it('starts without a complaint, and is ready', async () => {
    expect(service.stderr).toBe('');
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });

  it('starts sessions', async () => {
    const workspace = await send('POST', 'admin/workspaces', ADMIN_API_KEY, { name: 'Acme' });
    const { key } = workspace.body.api_key as unknown as { key: string };
    const fields = { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' };
    const flow = (await send('POST', 'public/flows', key, fields)).body;
    await send('PUT', `public/flows/${flow.id}`, key, { status: 'published' });
    expect((await send('POST', 'runtime/session/init', key, { flow_slug: flow.slug })).status).toBe(201);
  });

  it('lists each package that is in it, with version and license', () => {
    const sbom = JSON.parse(read('app/dist/sbom.cdx.json')) as Sbom;
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'retention-flow-service' } } });
    const listed = sbom.components.map(({ name }) => name);
    const bundled = Array.from(read('app/dist/src/main.js').matchAll(PACKAGE), ([, name]) => name);
    expect(bundled).toContain('fastify');
    expect(listed).toEqual(expect.arrayContaining([...new Set(bundled), 'preact', 'swagger-ui-dist']));
    expect(listed).not.toContain('jest');
    const licenses = read('app/dist/THIRD_PARTY_LICENSES.txt');
    for (const component of sbom.components) {
      expect(component).toMatchObject({ version: expect.any(String), licenses: [expect.anything()] });
      expect(licenses).toContain(`${component.name} ${component.version} (`);
    }
  });

  it.each(['widget/v1.js', 'console', 'docs', 'docs/swagger-ui-bundle.js', 'demo'])('serves /%s', async (path) => {
    expect((await fetch(`${address}/${path}`)).status).toBe(200);
  });

  it('has a health check, which succeeds while it runs and fails otherwise', () => {
    const [type, ...command] = config.Healthcheck.Test;
    expect(type).toBe('CMD');
    expect(run(command, { PORT: new URL(address).port })).toMatchObject({ status: 0, stderr: '' });
    expect(run(command, { PORT: '1' })).toMatchObject({ status: 1, stderr: '' });
  });

  it('ends with code 0 after its stop signal', async () => {
    const stopped = await start();
    await stopped.address();
    stopped.signal(config.StopSignal as NodeJS.Signals);
    expect(await stopped.ended).toBe(0);
    expect(stopped.stderr).toBe('');
  });
});
