import type { Operation } from './operations';

/** How often each operation responded with each status. */
export class Coverage {
  private readonly counts = new Map<string, Record<number, number>>();

  constructor(private readonly operations: Operation[]) {
    for (const { name } of operations) this.counts.set(name, {});
  }

  count(operation: string, status: number): void {
    const counts = this.counts.get(operation);
    if (!counts) return;
    counts[status] = (counts[status] ?? 0) + 1;
  }

  /** Operations that never succeeded, and those with input that never refused a request: they were hardly tested. */
  missing(): string[] {
    const had = (name: string, digit: string) => Object.keys(this.counts.get(name)!).some((one) => one[0] === digit);
    const takesInput = ({ scheme, parameters, body }: Operation) => scheme || parameters.length > 0 || body;
    return this.operations
      .filter((operation) => !had(operation.name, '2') || (takesInput(operation) && !had(operation.name, '4')))
      .map(({ name }) => name);
  }

  table(): string {
    const line = (counts: object) => Object.entries(counts).map(([status, times]) => `${status} × ${times}`);
    return [...this.counts].map(([operation, counts]) => `${operation}: ${line(counts).join(', ')}`).join('\n');
  }
}
