import { prepared } from '../platform/database/transaction/statement';
import type { Reader } from '../tenancy/work/work';

const READ = prepared('workspace-is-test', 'SELECT test FROM workspaces WHERE id = :workspace');

/** Whether a workspace is for tests. It never changes, so it may be remembered; false if there is no such workspace. */
export async function isTest(reader: Reader): Promise<boolean> {
  return (await reader.row<{ test: boolean }>(READ))?.test ?? false;
}
