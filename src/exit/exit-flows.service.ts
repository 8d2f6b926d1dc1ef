import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Problem } from '../platform/api/problems/problem';
import { prepared } from '../platform/database/transaction/statement';
import { theServiceIn } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { problemOfPostgres } from '../platform/database/transaction/postgres-errors';
import type { Brand } from '../workspaces/brand';
import type { FlowExit } from '../flows/flow-exit';
import { CURRENT_FLOWS } from '../flows/flow-queries';
import { FlowLookup } from '../flows/lookup/flow-lookup.service';

/** A flow as its pages show it. */
export interface ExitFlow {
  workspace_id: string;
  flow_id: string;
  slug: string;
  flow_version: number;
  was_published: boolean;
  exit: FlowExit | null;
  notification_email: string | null;
  product_name: string;
  cancellation_url: string;
  workspace_name: string;
  primary_color: string;
  logo_url: string;
  brand: Brand;
  allowed_origins: string[];
  image_hosts: string[];
}

/** How many flows a process remembers for when the database is away. */
const MAX_REMEMBERED = 1000;
/** The longest slug. */
const MAX_SLUG = 69;

const READ = prepared(
  'exit-flow',
  `SELECT flow.workspace_id, flow.id AS flow_id, flow.slug, flow.current_version AS flow_version,
    flow.first_published_at IS NOT NULL AS was_published, flow.exit, flow.notification_email,
    content.product_name, content.cancellation_url, workspace.name AS workspace_name, workspace.primary_color, workspace.logo_url, workspace.brand,
    workspace.allowed_origins, workspace.image_hosts
  FROM ${CURRENT_FLOWS}
  JOIN workspaces AS workspace ON workspace.id = flow.workspace_id
  WHERE flow.workspace_id = :workspace AND flow.id = :flow`,
);

/** Flows by their slug, for the pages on which customers leave. An archived flow keeps its pages. */
@Injectable()
export class ExitFlows {
  private readonly remembered = new LRUCache<string, ExitFlow>({ max: MAX_REMEMBERED });

  constructor(
    private readonly lookup: FlowLookup,
    private readonly units: UnitsOfWork,
  ) {}

  /** A flow by its slug, if it exists; as last read while the database is away. */
  async find(slug: string): Promise<ExitFlow | undefined> {
    if (slug.length > MAX_SLUG) return undefined;
    try {
      const place = await this.lookup.slug(slug);
      if (!place) return undefined;
      const reader = this.units.reader(theServiceIn(place.workspace_id));
      const flow = (await reader.row<ExitFlow>(READ, { flow: place.flow_id }))!;
      this.remembered.set(slug, flow);
      return flow;
    } catch (error) {
      const remembered = problemOfPostgres(error) && this.remembered.get(slug);
      if (remembered) return remembered;
      throw error;
    }
  }

  /** A flow whose page is open. */
  async open(slug: string): Promise<OpenExitFlow> {
    const flow = await this.find(slug);
    if (!isOpen(flow)) throw new Problem('exit_not_found');
    return flow;
  }
}

export type OpenExitFlow = ExitFlow & { exit: FlowExit };

export function isOpen(flow: ExitFlow | undefined): flow is OpenExitFlow {
  return flow?.exit?.enabled === true;
}
