import type { EntityManager } from 'typeorm';
import type { Page } from '../platform/api/pagination';
import type { Flow } from '../flows/flow.entity';
import type { Queries } from '../platform/database/transactions';

export type NamedFlow = Pick<Flow, 'id'> & { name: string };

/** Flows with the names of their current versions, newest first. */
export function readFlows(workspaceId: string, ids: string[], queries: Queries): Promise<NamedFlow[]> {
  return queries.query(
    `SELECT flow.id, content.name
     FROM flows flow JOIN flow_versions content ON content.workspace_id = flow.workspace_id
       AND content.flow_id = flow.id AND content.version = flow.current_version
     WHERE flow.workspace_id = $1 AND flow.id = ANY ($2::uuid[]) ORDER BY flow.id DESC`,
    [workspaceId, ids],
  );
}

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
