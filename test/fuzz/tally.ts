import type { Operation } from './operations';

/** How often which operation gave which status. */
export class Tally {
  private readonly counts: Map<string, Map<number, number>>;

  constructor(private readonly operations: Operation[]) {
    this.counts = new Map(operations.map(({ name }) => [name, new Map()]));
  }

  count(operation: string, status: number): void {
    const counts = this.counts.get(operation)!;
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }

  /** Operations that never took a request, or never refused one though they ask for something: they were hardly tried. */
  onesided(): string[] {
    const gave = (name: string, hundreds: number) =>
      [...this.counts.get(name)!.keys()].some((status) => Math.floor(status / 100) === hundreds);
    const asksForSomething = ({ scheme, parameters, body }: Operation) => scheme || parameters.length > 0 || body;
    return this.operations
      .filter((operation) => !gave(operation.name, 2) || (asksForSomething(operation) && !gave(operation.name, 4)))
      .map(({ name }) => name);
  }

  table(): string {
    const line = (counts: Map<number, number>) =>
      [...counts].toSorted(([one], [other]) => one - other).map(([status, times]) => `${status} × ${times}`);
    return [...this.counts].map(([operation, counts]) => `${operation}: ${line(counts).join(', ')}`).join('\n');
  }
}
