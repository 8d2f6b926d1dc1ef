import type { Check } from './checks';

export const SEVERITIES = ['error', 'warning', 'advice'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A rule of a jurisdiction, as data. Not legal advice. */
export interface Rule {
  /** Its name, unique in the jurisdiction. */
  rule: string;
  /** Finds the places in a flow that break the rule. */
  check: Check;
  severity: Severity;
  /** The meaning of the finding, and the change that would mend it. */
  message: string;
  /** Where it was read. */
  source: string;
  /** The day on which it was read. */
  as_of: string;
}
