import { CHECKS, type Reviewed } from './checks';
import { DE } from './de';
import { EU } from './eu';
import { type Jurisdiction, type Rule, SEVERITIES } from './rule';
import { UK } from './uk';
import { US_CA } from './us-ca';

const RULES: Record<Jurisdiction, Rule[]> = { de: DE, eu: EU, 'us-ca': US_CA, uk: UK };

/** A finding of a rule in a flow, with the JSON Pointer to its place. */
export type Finding = Omit<Rule, 'check'> & { jurisdiction: Jurisdiction; pointer: string };

/** The findings of jurisdictions' rules in a flow, the most severe first. */
export function reviewOf(flow: Reviewed, jurisdictions: readonly Jurisdiction[]): Finding[] {
  const findings = jurisdictions.flatMap((jurisdiction) =>
    RULES[jurisdiction].flatMap(({ check, ...rule }) =>
      CHECKS[check](flow).map((pointer) => ({ ...rule, jurisdiction, pointer })),
    ),
  );
  return findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}
