import type { Check } from './checks';

export const JURISDICTIONS = ['de', 'eu', 'us-ca', 'uk'] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

export const SEVERITIES = ['error', 'warning', 'advice'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A rule of a jurisdiction, as data. Not legal advice. The console uses this file, so it imports no framework. */
export interface Rule {
  /** Its name, unique in the jurisdiction. */
  rule: string;
  /** What is looked for in a flow. */
  check: Check;
  severity: Severity;
  /** What it means, and what to change. */
  message: string;
  /** Where it was read. */
  source: string;
  /** The day on which it was read. */
  as_of: string;
}
