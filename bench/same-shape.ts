import { isDeepStrictEqual } from 'node:util';
import type { Case } from './cases';
import type { HttpContestant } from './contestant';

/** Throws unless all servers answer a case with the same fields: who answers less would have it easier. */
export async function requireSameShape(one: Case, contestants: HttpContestant[]): Promise<void> {
  const asked = contestants.filter((contestant) => contestant.takesPart(one));
  const shapes = await Promise.all(asked.map(async (contestant) => shapeOf(await contestant.ask(one))));
  const differing = shapes.findIndex((shape) => !isDeepStrictEqual(shape, shapes[0]));
  if (differing < 0) return;
  const shown = [0, differing].map((index) => `${asked[index].name}: ${JSON.stringify(shapes[index])}`);
  throw new Error(`${one.name}: the answers differ\n${shown.join('\n')}`);
}

/** The types of a value's parts; a list counts with its length, as it weighs by it. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}
