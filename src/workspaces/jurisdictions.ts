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
  'es',
  'us-va',
  'us-ct',
  'us-ga',
] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

/** The wider place whose rules count as well: the Union's in each member state, federal ones in each state. */
export const WIDER: Partial<Record<Jurisdiction, Jurisdiction>> = {
  de: 'eu',
  fr: 'eu',
  es: 'eu',
  'us-ca': 'us',
  'us-co': 'us',
  'us-ct': 'us',
  'us-ga': 'us',
  'us-ma': 'us',
  'us-mn': 'us',
  'us-ny': 'us',
  'us-va': 'us',
};
