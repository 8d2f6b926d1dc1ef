import { Problem } from './problems/problem';
import { type ProblemCode, PROBLEMS } from './problems/problem-codes';

/** Throws a 409 if there are as many as there may be. Where `PROBLEMS` names the default limit, it names this one. */
export function requireRoom(count: number, most: number, code: ProblemCode): void {
  if (count < most) return;
  throw new Problem(code, {}, PROBLEMS[code].detail.replace(/\d[\d,]*/, most.toLocaleString('en')));
}
