import type { Workspace } from '@retention-flow/client';

type Jurisdiction = Workspace['jurisdictions'][number];

/** What the jurisdictions are called, in the order of a list. */
export const PLACES: [code: Jurisdiction, name: string][] = [
  ['eu', 'European Union'],
  ['de', 'Germany'],
  ['fr', 'France'],
  ['es', 'Spain'],
  ['uk', 'United Kingdom'],
  ['us', 'United States'],
  ['us-ca', 'California'],
  ['us-co', 'Colorado'],
  ['us-ct', 'Connecticut'],
  ['us-ga', 'Georgia (United States)'],
  ['us-ma', 'Massachusetts'],
  ['us-mn', 'Minnesota'],
  ['us-ny', 'New York'],
  ['us-va', 'Virginia'],
  ['au', 'Australia'],
  ['in', 'India'],
  ['kr', 'South Korea'],
];

export function placeName(code: Jurisdiction): string {
  return PLACES.find(([known]) => known === code)?.[1] ?? code;
}
