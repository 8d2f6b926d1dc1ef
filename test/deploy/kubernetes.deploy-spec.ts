import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { version } from '../../package.json';

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  // What it has is what the tests are about.
  // oxlint-disable-next-line no-explicit-any
  [field: string]: any;
}

const FOLDER = 'deploy/kubernetes';
const MONITORING = '@kubernetes-models/prometheus-operator/monitoring.coreos.com';

/** The kubectl of Debian 12 has a kustomize that takes no folders as resources. */
const kubectl = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' });
const canRender = /Kustomize Version: v([5-9]|\d\d)/.test(kubectl.stdout ?? '');

/** What `kubectl apply -k` would send. */
function rendered(folder: string): Resource[] {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(FOLDER, folder)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return resourcesIn(stdout);
}

function written(folder: string): Resource[] {
  const files = readdirSync(join(FOLDER, folder)).filter((file) => /(?<!kustomization)\.yaml$/.test(file));
  return files.flatMap((file) => resourcesIn(readFileSync(join(FOLDER, folder, file), 'utf8')));
}

const resourcesIn = (yaml: string) => parseAllDocuments(yaml).map((document) => document.toJS() as Resource);

describe('The files for Kubernetes', () => {
  it.each(['base', 'monitoring', 'example'])(
    'have in %s only fields that Kubernetes knows, with values of their types',
    (folder) => {
      const own = mkdtempSync(join(tmpdir(), 'retention-flow-kubernetes-'));
      symlinkSync(resolve('test/deploy/node_modules'), join(own, 'node_modules'));
      const file = join(own, 'resources.ts');
      const constants = (canRender ? rendered : written)(folder).map((resource, n) => {
        const { apiVersion, kind } = resource;
        const [group, version] = apiVersion.split('/');
        const from = group.startsWith('monitoring') ? `${MONITORING}/${version}` : `kubernetes-models/${apiVersion}`;
        return `export const resource${n}: import('${from}').I${kind} = ${JSON.stringify(resource)};`;
      });
      writeFileSync(file, constants.join('\n'));
      const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], module: ts.ModuleKind.Node20 };
      const program = ts.createProgram([file], { ...options, moduleResolution: ts.ModuleResolutionKind.Node16 });
      const faults = ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
      rmSync(own, { recursive: true });
      expect(constants.length).toBeGreaterThan(0);
      expect(faults).toEqual([]);
    },
  );
});

(canRender ? describe : describe.skip)('What kubectl makes of the files for Kubernetes', () => {
  const named = (resources: Resource[], kind: string, name = 'retention-flow') =>
    resources.find((one) => one.kind === kind && one.metadata.name.replace(/-\w{10}$/, '') === name)!;

  it('fits together: labels, ports, names of settings and secrets', () => {
    const resources = rendered('example');
    const { spec } = named(resources, 'Deployment');
    const [container] = spec.template.spec.containers;
    const { labels } = spec.template.metadata;
    const ports = container.ports.map(({ name }: { name: string }) => name);
    const selectors = [
      spec.selector.matchLabels,
      named(resources, 'Service').spec.selector,
      named(resources, 'PodDisruptionBudget').spec.selector.matchLabels,
      named(resources, 'NetworkPolicy').spec.podSelector.matchLabels,
    ];
    for (const selector of selectors) expect(labels).toMatchObject(selector);
    const job = named(resources, 'Job', 'retention-flow-migrate').spec.template;
    expect(job.metadata.labels).not.toMatchObject(spec.selector.matchLabels);
    for (const { targetPort } of named(resources, 'Service').spec.ports) expect(ports).toContain(targetPort);
    const settings = named(resources, 'ConfigMap');
    expect(container.envFrom).toEqual([{ configMapRef: { name: settings.metadata.name } }]);
    const [{ mountPath }] = container.volumeMounts;
    const files = Object.entries<string>(settings.data).filter(
      ([name, value]) => name.endsWith('_FILE') && value !== '',
    );
    for (const [name, path] of files) expect(path).toBe(`${mountPath}/${name.replace(/_FILE$/, '')}`);
    const operation = container.ports.find(({ name }: { name: string }) => name === 'operation');
    expect(settings.data.OPERATION_PORT).toBe(String(operation.containerPort));
    expect(container.image).toBe(`registry.example.com/retention-flow-service:${version}`);
  });

  it('lets no process write files, be root or get more rights', () => {
    const resources = rendered('base');
    const pods = [named(resources, 'Deployment'), named(resources, 'Job', 'retention-flow-migrate')].map(
      ({ spec }) => spec.template.spec,
    );
    for (const { securityContext, automountServiceAccountToken, containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(automountServiceAccountToken).toBe(false);
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('waits longer for a process that stops than the 10 s that it takes', () => {
    const { spec } = named(rendered('base'), 'Deployment');
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });
});
