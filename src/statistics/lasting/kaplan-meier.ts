import { type Interval, intervalOf } from '../experiments/experiment';

/** How many were watched for so many whole days, and how many of them left within the next one. */
export interface Watched {
  days: number;
  left: number;
  watched: number;
}

export interface Stay {
  /** The part that stays for so many days. */
  stay: number | null;
  interval: Interval | null;
  /** How many were watched for that long. */
  at_risk: number;
}

/** 95 % */
const Z = 1.959963984540054;

/**
 * The part of customers who stay for some days, by Kaplan and Meier (Journal of the American Statistical Association
 * 53, 1958): those who were not watched for that long count until then. Nothing is said if nobody was watched so long.
 *
 * The interval is Wilson's, as if as many had been watched as have the variance that Greenwood's formula says (Rothman,
 * Journal of Chronic Diseases 31, 1978), so that it lies within 0 and 1, and has a width when nobody left.
 */
export function stayAt(days: number, watched: Watched[]): Stay {
  const each = new Map<number, { left: number; watched: number }>();
  for (const one of watched) {
    const sum = each.get(one.days) ?? { left: 0, watched: 0 };
    each.set(one.days, { left: sum.left + one.left, watched: sum.watched + one.watched });
  }
  let at_risk = watched.reduce((sum, one) => sum + one.watched, 0);
  let [stay, variance] = [1, 0];
  for (let day = 0; day < days; day++) {
    const { left, watched: gone } = each.get(day) ?? { left: 0, watched: 0 };
    if (left > 0) {
      stay *= 1 - left / at_risk;
      variance += left / (at_risk * (at_risk - left));
    }
    at_risk -= gone;
  }
  if (at_risk === 0) return { stay: null, interval: null, at_risk };
  const size = variance === 0 ? at_risk : (1 - stay) / (stay * variance);
  return { stay, interval: intervalOf(stay * size, size, Z), at_risk };
}
