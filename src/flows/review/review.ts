import { type Jurisdiction, WIDER } from '../../workspaces/jurisdictions';
import { AU } from './au';
import { CHECKS, type Reviewed } from './checks';
import { DE } from './de';
import { ES } from './es';
import { EU } from './eu';
import { FR } from './fr';
import { IN } from './in';
import { KR } from './kr';
import { type Rule, SEVERITIES } from './rule';
import { UK } from './uk';
import { US } from './us';
import { US_CA } from './us-ca';
import { US_CO } from './us-co';
import { US_CT } from './us-ct';
import { US_GA } from './us-ga';
import { US_MA } from './us-ma';
import { US_MN } from './us-mn';
import { US_NY } from './us-ny';
import { US_VA } from './us-va';

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
  es: ES,
  'us-va': US_VA,
  'us-ct': US_CT,
  'us-ga': US_GA,
};

/** A finding of a rule in a flow, with the JSON Pointer to its place. */
export type Finding = Omit<Rule, 'check'> & { jurisdiction: Jurisdiction; pointer: string };

/** The findings of jurisdictions' rules in a flow, the most severe first. */
export function reviewOf(flow: Reviewed, jurisdictions: readonly Jurisdiction[]): Finding[] {
  const asked = new Set(jurisdictions);
  const findings = [...asked].flatMap((jurisdiction) =>
    rulesIn(jurisdiction, asked).flatMap(({ check, ...rule }) =>
      CHECKS[check](flow).map((pointer) => ({ ...rule, jurisdiction, pointer })),
    ),
  );
  return findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/**
 * A place's own rules, and the wider ones that reach it, but for those that it has in its own law, or that are asked
 * for.
 */
function rulesIn(place: Jurisdiction, asked: ReadonlySet<Jurisdiction>): Rule[] {
  const own = RULES[place];
  const wider = WIDER[place];
  if (!wider || asked.has(wider)) return own;
  return [...own, ...RULES[wider].filter(({ rule }) => !own.some((one) => one.rule === rule))];
}
