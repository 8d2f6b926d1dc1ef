/**
 * Where customers live, as far as rules on cancelling are known. The console uses this file, so it imports no
 * framework.
 */
export const JURISDICTIONS = [
  'de',
  'eu',
  'us-ca',
  'uk',
  'us',
  'us-mn',
  'us-co',
  'us-ny',
  'us-ma',
  'fr',
  'au',
  'kr',
  'in',
] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];
