import type { Jurisdiction } from '../../workspaces/jurisdictions';
import { AU } from './au';
import { CHECKS, type Reviewed } from './checks';
import { DE } from './de';
import { EU } from './eu';
import { FR } from './fr';
import { IN } from './in';
import { KR } from './kr';
import { type Rule, SEVERITIES } from './rule';
import { UK } from './uk';
import { US } from './us';
import { US_CA } from './us-ca';
import { US_CO } from './us-co';
import { US_MA } from './us-ma';
import { US_MN } from './us-mn';
import { US_NY } from './us-ny';

const RULES: Record<Jurisdiction, Rule[]> = {
  de: DE,
  eu: EU,
  'us-ca': US_CA,
  uk: UK,
  us: US,
  'us-mn': US_MN,
  'us-co': US_CO,
  'us-ny': US_NY,
  'us-ma': US_MA,
  fr: FR,
  au: AU,
  kr: KR,
  in: IN,
};

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
