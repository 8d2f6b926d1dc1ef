import type { Workspace } from '@retention-flow/client';
import { pick } from '../../../src/platform/common/pick';

const SETTINGS = [
  'name',
  'allowed_origins',
  'jurisdictions',
  'image_hosts',
  'require_customer_token',
  'offer_limit',
  'ending_notice_days',
] as const;

/** What of a workspace its own keys may change. */
export type Settings = Pick<Workspace, (typeof SETTINGS)[number]>;

export const settingsOf = (workspace: Settings): Settings => pick(workspace, SETTINGS);

/** Sends only what differs, so that a colleague's change of another field stays. */
export function changes(before: Settings, after: Settings): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Settings]),
    ),
  );
}

/** The lines of a text that say something. */
export function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
