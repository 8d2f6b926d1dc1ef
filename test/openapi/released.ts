import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { breakingChanges } from './breaking-changes';
import { widgetBreaks } from './widget-breaks';

const RELEASED = 'test/drift/released';

/** What programs of others rely on. */
export interface Contract {
  /** With the events, as `webhooks`. */
  document: OpenAPIObject;
  /** The types of the widget. */
  widget: string;
  /** Each setting with its default. */
  settings: Record<string, string>;
}

/** A break that is meant: how the guard words it, and how the changelog does, under "Breaking". */
export interface Accepted {
  break: string;
  changelog: string;
}

const read = (file: string) => readFileSync(file, 'utf8');

/** The newest version that is kept, and the breaks since that are meant. Throws without one. */
export function newestReleased(): Contract & { version: string; accepted: Accepted[] } {
  const versions = readdirSync(RELEASED).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const version = versions.at(-1);
  if (version === undefined) throw new Error(`${RELEASED} is empty: there is nothing to compare with`);
  const folder = join(RELEASED, version);
  return {
    version,
    document: JSON.parse(read(join(folder, 'openapi.json'))) as OpenAPIObject,
    widget: read(join(folder, 'v1.d.ts')),
    settings: JSON.parse(read(join(folder, 'settings.json'))) as Contract['settings'],
    accepted: JSON.parse(read(join(folder, 'accepted.json'))) as Accepted[],
  };
}

/** What breaks programs, pages and installations of an older version. */
export function breaksBetween(older: Contract, newer: Contract): string[] {
  const settings = Object.entries(older.settings).flatMap(([name, value]) => {
    if (!(name in newer.settings)) return [`setting: ${name} is gone`];
    return newer.settings[name] === value
      ? []
      : [`setting: the default of ${name} is ${newer.settings[name]}, and was ${value}`];
  });
  return [...breakingChanges(older.document, newer.document), ...widgetBreaks(older.widget, newer.widget), ...settings];
}

/** What of them nobody has accepted, and what is accepted that breaks nothing, or that the changelog doesn't say. */
export function faultsOf(breaks: string[], accepted: Accepted[], changelog: string): string[] {
  const [, breaking = ''] = /^Breaking:\n([^]*?)(?=^\w|^## )/m.exec(changelog) ?? [];
  const said = breaking.replaceAll(/\s+/g, ' ');
  return [
    ...breaks.filter((one) => !accepted.some((entry) => entry.break === one)),
    ...accepted
      .filter((entry) => !breaks.includes(entry.break))
      .map((entry) => `accepted, but no break: ${entry.break}`),
    ...accepted
      .filter((entry) => entry.changelog.trim() === '' || !said.includes(entry.changelog))
      .map((entry) => `not under "Breaking" in CHANGELOG.md: ${entry.changelog}`),
  ];
}
