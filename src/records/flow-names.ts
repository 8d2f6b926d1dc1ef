import type { Page } from '../platform/api/paging/pagination';
import { statement } from '../platform/database/transaction/statement';
import { CURRENT_FLOWS } from '../flows/flow-queries';
import type { Flow } from '../flows/flow.entity';
import type { Reader } from '../tenancy/work/work';

type NamedFlow = Pick<Flow, 'id'> & { name: string };

const NAMES = statement(
  `SELECT flow.id, content.name FROM ${CURRENT_FLOWS}
  WHERE flow.workspace_id = :workspace AND flow.id = ANY (:ids::uuid[]) ORDER BY flow.id DESC`,
);

/** Flows with the names of their current versions, newest first. */
export function readFlows(ids: string[], reader: Reader): Promise<NamedFlow[]> {
  return reader.rows(NAMES, { ids });
}

/** The items of a page with the names that their flows have now. */
export async function withFlowNames<T extends { flow_id: string }>(
  page: Page<T>,
  reader: Reader,
): Promise<Page<T & { flow_name: string }>> {
  const flows = await readFlows([...new Set(page.items.map(({ flow_id }) => flow_id))], reader);
  const nameOf = new Map(flows.map(({ id, name }) => [id, name]));
  return { ...page, items: page.items.map((item) => ({ ...item, flow_name: nameOf.get(item.flow_id)! })) };
}
