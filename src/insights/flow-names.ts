import type { EntityManager } from 'typeorm';
import type { Page } from '../common/pagination';
import { readFlows } from './stats-queries';

/** The items of a page with the names that their flows have now. */
export async function withFlowNames<T extends { flow_id: string }>(
  workspaceId: string,
  page: Page<T>,
  manager: EntityManager,
): Promise<Page<T & { flow_name: string }>> {
  const ids = [...new Set(page.items.map(({ flow_id }) => flow_id))];
  const flows = await readFlows(workspaceId, ids, manager);
  const nameOf = new Map(flows.map(({ id, name }) => [id, name]));
  return { ...page, items: page.items.map((item) => ({ ...item, flow_name: nameOf.get(item.flow_id)! })) };
}
