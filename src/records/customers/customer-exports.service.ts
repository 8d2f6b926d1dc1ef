import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { OutcomeDto } from '../../billing/dto/outcome.dto';
import { Outcome } from '../../billing/outcomes/outcome.entity';
import { Delivery } from '../../events/deliveries/delivery.entity';
import { Declaration } from '../../exit/declaration.entity';
import { DeclarationDto } from '../../exit/dto/declaration.dto';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import { readPages } from '../downloads/downloads';
import { SessionsService } from '../sessions.service';
import { CustomerExportDto } from './customer-export.dto';

/** Everything that is stored about one customer, for the customer (GDPR, article 15). */
@Injectable()
export class CustomerExports {
  constructor(
    @InjectRepository(Declaration) private readonly declarations: Repository<Declaration>,
    private readonly sessions: SessionsService,
    private readonly units: UnitsOfWork,
  ) {}

  /** JSON, written as it is read, like the other files. */
  async file(tenant: Tenant, customer_id: string): Promise<StreamableFile> {
    const parts = this.partsOf(tenant, customer_id);
    // Read before the response begins: what can't be read has an ordinary error.
    const first = await parts.next();
    async function* text() {
      yield first.value as string;
      yield* parts;
    }
    return new StreamableFile(Readable.from(text(), { objectMode: false }), {
      type: 'application/json; charset=utf-8',
      disposition: 'attachment; filename="customer.json"',
    });
  }

  private async *partsOf(tenant: Tenant, customer_id: string): AsyncGenerator<string, void, undefined> {
    const reader = this.units.reader(tenant);
    const emails = new Set<string>();
    let before = `{"customer_id":${JSON.stringify(customer_id)},"sessions":[`;
    for await (const page of readPages((query) => this.sessions.list(tenant, { ...query, customer_id }))) {
      let text = '';
      for (const { id } of page) {
        const session = await this.sessions.get(tenant, id);
        const deliveries = await reader.find(Delivery, { flow_session_id: id }, { order: { created_at: 'ASC' } });
        const email = session.customer_verified && session.customer?.email;
        if (email) emails.add(email.toLowerCase());
        text += before + JSON.stringify(CustomerExportDto.sessionOf(session, deliveries));
        before = ',';
      }
      if (text) yield text;
    }
    const outcomes = await reader.find(Outcome, { customer_id }, { order: { at: 'ASC', id: 'ASC' } });
    const declarations = emails.size > 0 ? await this.declarationsOf(tenant, [...emails]) : [];
    const shown = [
      JSON.stringify(outcomes.map((outcome) => OutcomeDto.of(outcome))),
      JSON.stringify(declarations.map((declaration) => DeclarationDto.of(declaration))),
    ];
    const opening = before === ',' ? '' : before;
    yield `${opening}],"outcomes":${shown[0]},"declarations":${shown[1]}}`;
  }

  private declarationsOf({ workspaceId }: Tenant, emails: string[]): Promise<Declaration[]> {
    return this.declarations
      .createQueryBuilder('declaration')
      .where('workspace_id = :workspaceId AND lower(email) = ANY (:emails)', { workspaceId, emails })
      .orderBy('id')
      .getMany();
  }
}
