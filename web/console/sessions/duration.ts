const SECOND = 1000;
const UNITS: [unit: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** The time between two times, by its two largest units: 45 s, 3 min 20 s, 2 d 5 h. */
export function duration(from: string, to: string): string {
  let rest = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / SECOND));
  const first = UNITS.findIndex(([, seconds]) => rest >= seconds);
  if (first === -1) return '0 s';
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS.slice(first, first + 2)) {
    const amount = Math.floor(rest / seconds);
    rest -= amount * seconds;
    if (amount > 0) parts.push(`${amount} ${unit}`);
  }
  return parts.join(' ');
}
