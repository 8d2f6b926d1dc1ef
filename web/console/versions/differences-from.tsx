import type { Difference } from './difference';
import { DifferencesTable } from './differences-table';

interface DifferencesFromProps {
  differences: Difference[];
  /** The version that is live. */
  version: number;
  before?: string;
  /** What is compared with it. */
  after: string;
}

/** How something differs from the version that is live, or that it does not. */
export function DifferencesFrom({ differences, version, before = `Version ${version}`, after }: DifferencesFromProps) {
  return differences.length > 0 ? (
    <DifferencesTable differences={differences} before={before} after={after} />
  ) : (
    <p>It says the same as version {version}.</p>
  );
}
