import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { OutcomeDto } from '../../billing/dto/outcome.dto';
import { Outcome } from '../../billing/outcomes/outcome.entity';
import { Declaration } from '../../exit/declaration.entity';
import { DeclarationDto } from '../../exit/dto/declaration.dto';
import type { Page, PageQuery } from '../../platform/api/paging/pagination';
import { Problem } from '../../platform/api/problems/problem';
import { groupBy } from '../../platform/common/group-by';
import { pick } from '../../platform/common/pick';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import { statement } from '../../platform/database/transaction/statement';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import { patiently, readPages } from '../downloads/downloads';
import type { SessionRecord } from '../dto/session-record.dto';
import { SessionsService } from '../sessions.service';
import { CustomerExportDto, type ToldEventDto } from './customer-export.dto';

const EVENTS = statement(
  `SELECT flow_session_id, id, type, created_at FROM events
  WHERE workspace_id = :workspace AND flow_session_id = ANY (:sessions) ORDER BY id`,
);

type Exported = ReturnType<typeof CustomerExportDto.sessionOf>;

/** What is stored about one customer, for the customer (GDPR, article 15). */
@Injectable()
export class CustomerExports {
  constructor(
    @InjectRepository(Declaration) private readonly declarations: Repository<Declaration>,
    private readonly sessions: SessionsService,
    private readonly limits: ManagementLimits,
    private readonly units: UnitsOfWork,
  ) {}

  /** JSON, written as it is read, like the other files. */
  async file(tenant: Tenant, customer_id: string): Promise<StreamableFile> {
    const parts = this.partsOf(tenant, customer_id);
    // Read before the response begins: what can't be read has an ordinary error.
    const beginning = [await parts.next(), await parts.next()];
    async function* text() {
      for (const { value } of beginning) yield value as string;
      yield* parts;
    }
    return new StreamableFile(Readable.from(text(), { objectMode: false }), {
      type: 'application/json; charset=utf-8',
      disposition: 'attachment; filename="customer.json"',
    });
  }

  private async *partsOf(tenant: Tenant, customer_id: string): AsyncGenerator<string, void, undefined> {
    const emails = new Set<string>();
    yield `{"customer_id":${JSON.stringify(customer_id)},"sessions":[`;
    let separator = '';
    for await (const page of readPages((query) => this.page(tenant, { ...query, customer_id }))) {
      for (const { customer_verified, customer } of page) {
        if (customer_verified && customer?.email) emails.add(customer.email.toLowerCase());
      }
      if (page.length === 0) continue;
      yield separator + page.map((session) => JSON.stringify(session)).join(',');
      separator = ',';
    }
    const [outcomes, declarations] = await patiently(() => this.rest(tenant, customer_id, [...emails]));
    yield `],"outcomes":${JSON.stringify(outcomes)},"declarations":${JSON.stringify(declarations)}}`;
  }

  private async page(tenant: Tenant, query: PageQuery & { customer_id: string }): Promise<Page<Exported>> {
    const { items, ...page } = await this.sessions.list(tenant, query);
    const reader = this.units.reader(tenant);
    const records = await this.limits.long.run(tenant.workspaceId, async () => {
      const sessions = items.map(({ id }) => id);
      const events = await reader.rows<ToldEventDto & { flow_session_id: string }>(EVENTS, { sessions });
      const eventsOf = groupBy(events, ({ flow_session_id }) => flow_session_id);
      const found: Exported[] = [];
      for (const id of sessions) {
        const record = await this.recordOf(tenant, id);
        const told = (eventsOf.get(id) ?? []).map((event) => pick(event, ['id', 'type', 'created_at']));
        if (record) found.push(CustomerExportDto.sessionOf(record, told));
      }
      return found;
    });
    return { items: records, ...page };
  }

  /** A session that was deleted since it was listed is nothing. */
  private async recordOf(tenant: Tenant, id: string): Promise<SessionRecord | undefined> {
    return this.sessions.get(tenant, id).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    });
  }

  private rest(tenant: Tenant, customer_id: string, emails: string[]): Promise<[OutcomeDto[], DeclarationDto[]]> {
    const { workspaceId } = tenant;
    return this.limits.long.run(workspaceId, async () => {
      const order = { at: 'ASC', id: 'ASC' } as const;
      const outcomes = await this.units.reader(tenant).find(Outcome, { customer_id }, { order });
      const declared = await this.declarations
        .createQueryBuilder('declaration')
        .where('workspace_id = :workspaceId AND lower(email) = ANY (:emails)', { workspaceId, emails })
        .orderBy('id')
        .getMany();
      return [outcomes.map((outcome) => OutcomeDto.of(outcome)), declared.map((one) => DeclarationDto.of(one))];
    });
  }
}
