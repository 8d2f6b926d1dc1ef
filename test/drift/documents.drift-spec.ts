import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EVENT_TYPES } from '../../src/outbox/event-types';

const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(file));

const textOf = (file: string) => readFileSync(file, 'utf8').replaceAll(/^```.*?^```$/gms, '');

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

function isThere(from: string, target: string): boolean {
  const [path, anchor] = target.split('#');
  const file = path ? join(dirname(from), path) : from;
  return existsSync(file) && (!anchor || anchorsOf(file).includes(anchor));
}

describe('The documents', () => {
  it.each(documents)('lead to files and headings that are there: %s', (file) => {
    const targets = [...textOf(file).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target]) => target);
    expect(targets.filter((target) => !isThere(file, target))).toEqual([]);
  });

  it('name only files and folders of the code that are there: ARCHITECTURE.md', () => {
    const named = [...textOf('ARCHITECTURE.md').matchAll(/`([\w.-]+(?:\/[\w.-]*)+|[\w.-]+\.(?:ts|mjs))`/g)];
    const paths = named.map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !existsSync(path) && !existsSync(join('src', path)))).toEqual([]);
  });

  it.each(documents.filter((file) => file.startsWith('docs/decisions/')))('are read in a minute: %s', (file) => {
    expect(readFileSync(file, 'utf8').trim().split(/\s+/).length).toBeLessThanOrEqual(200);
  });

  it('name only tests that are there, where they list what runs on other versions: .ci/versions', () => {
    const tests = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'test'], {
      encoding: 'utf8',
    }).split('\n');
    const named = readFileSync('.ci/versions', 'utf8').trim().split('\n');
    expect(named.filter((part) => !tests.some((file) => new RegExp(part).test(file)))).toEqual([]);
  });

  it('have a row in the table of events for each type: docs/webhooks.md', () => {
    const [, table] = readFileSync('docs/webhooks.md', 'utf8').split('\n## Events\n');
    const types = [...table.split('\n## ')[0].matchAll(/^\| `([\w.]+)` /gm)].map(([, type]) => type);
    expect(types.toSorted()).toEqual(EVENT_TYPES.toSorted());
  });

  it('have a heading in the runbook for each alert, and the alert leads there', () => {
    const alerts = readFileSync('deploy/prometheus/alerts.yml', 'utf8').split('- alert: ').slice(1);
    expect(alerts.length).toBeGreaterThan(5);
    const headings = [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(alerts.map((alert) => /^\w+/.exec(alert)![0]));
    for (const [index, alert] of alerts.entries())
      expect(alert).toContain(`runbook_url: docs/runbook.md#${headings[index].toLowerCase()}\n`);
  });
});
