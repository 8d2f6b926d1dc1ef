import type { Workspace } from '@retention-flow/client';

type Jurisdiction = Workspace['jurisdictions'][number];

/** What the jurisdictions are called, in the order of a list. */
export const PLACES: [code: Jurisdiction, name: string][] = [
  ['eu', 'European Union'],
  ['de', 'Germany'],
  ['fr', 'France'],
  ['uk', 'United Kingdom'],
  ['us', 'United States'],
  ['us-ca', 'California'],
  ['us-co', 'Colorado'],
  ['us-ma', 'Massachusetts'],
  ['us-mn', 'Minnesota'],
  ['us-ny', 'New York'],
  ['au', 'Australia'],
  ['in', 'India'],
  ['kr', 'South Korea'],
];

export function placeName(code: Jurisdiction): string {
  return PLACES.find(([known]) => known === code)?.[1] ?? code;
}
