import { Injectable } from '@nestjs/common';
import type { EventData } from '../../outbox/event-types';
import { Declaration } from '../../exit/declaration.entity';
import { EXIT_WORDS } from '../../exit/words/exit-words';
import { Flow } from '../../flows/flow.entity';
import { Config } from '../../settings/config';
import { FlowLookup } from '../../flows/lookup/flow-lookup.service';
import { htmlOfReceipt, type Receipt, receiptOf, receiptOfSession, textOfReceipt } from '../../exit/receipt';
import { statement } from '../../platform/database/transaction/statement';
import { theServiceIn } from '../../tenancy/work/tenant';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { MailContent } from '../../platform/mail/content';
import { type MailMessage, messageOf } from '../../platform/mail/layout';
import type { EventBody, SessionEventData } from '../event-body';
import type { Claim, Target } from '../deliveries/attempt-rules';
import { declarationContent, endingContent, sessionContent, type SummaryCount, summaryContent } from './mail-content';

/** Where a mail goes. */
export interface MailTarget extends Target {
  /** `flow`: about its sessions, to its address. `team`: about a declaration. `customer`: a receipt. */
  audience: 'flow' | 'team' | 'customer';
  flow_name: string;
  /** The sender; null: the service's. */
  sender: string | null;
}

/** The sessions of a summary by their offer, or the first reason that was given. */
const SUMMARY = statement(`
  SELECT ended.type, ended.sessions, ended.first, ended.last,
    coalesce(offer, jsonb_path_query_first(content.definition,
      '$.nodes[*] ? (@.key == $node).config.options[*] ? (@.value == $option).label',
      jsonb_build_object('node', node_key, 'option', option)) #>> '{}') AS label
  FROM (
    SELECT event.type, session.flow_id, session.flow_version, answer.node_key, answer.option,
      session.accepted_offer ->> 'name' AS offer, count(*)::integer AS sessions,
      min(event.created_at) AS first, max(event.created_at) AS last
    FROM deliveries AS delivery
    JOIN events AS event ON event.workspace_id = :workspace AND event.id = delivery.event_id
    LEFT JOIN flow_sessions AS session ON session.workspace_id = :workspace AND session.id = event.flow_session_id
    LEFT JOIN LATERAL (
      SELECT node_key, option FROM session_steps
      WHERE workspace_id = :workspace AND flow_session_id = session.id AND option IS NOT NULL ORDER BY position LIMIT 1
    ) AS answer ON event.type = 'session.canceled'
    WHERE delivery.workspace_id = :workspace AND delivery.summary_id = :carrier
    GROUP BY 1, 2, 3, 4, 5, 6
  ) AS ended
  LEFT JOIN flow_versions AS content ON content.workspace_id = :workspace
    AND content.flow_id = ended.flow_id AND content.version = ended.flow_version`);

/** Writes mails. Their content is read when they are sent, so it has nothing that was erased before. */
@Injectable()
export class MailMessages {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly flows: FlowLookup,
    private readonly workspaces: WorkspacesService,
    private readonly config: Config,
  ) {}

  async of(claim: Claim<MailTarget>, body?: EventBody): Promise<MailMessage> {
    if (claim.target.audience === 'customer') {
      const receipt = await this.receiptOf(claim, body!);
      const { workspace_id } = claim.event;
      const html = htmlOfReceipt(receipt, await this.workspaces.get(workspace_id));
      return { subject: receipt.subject, text: textOfReceipt(receipt), html };
    }
    return messageOf(await this.contentOf(claim, body));
  }

  private async contentOf({ target, event, is_summary }: Claim<MailTarget>, body?: EventBody): Promise<MailContent> {
    const { workspace_id, flow_name, audience } = target;
    if (audience === 'team') return declarationContent(flow_name, (await this.declarationOf(event))!);
    if (!is_summary) {
      const data = body!.data as SessionEventData;
      return event.type === 'offer.ending'
        ? endingContent(flow_name, data)
        : sessionContent(flow_name, body!.timestamp, data);
    }
    const reader = this.units.reader(theServiceIn(workspace_id));
    return summaryContent(flow_name, await reader.rows<SummaryCount>(SUMMARY, { carrier: event.id }));
  }

  private async receiptOf({ event }: Claim<MailTarget>, { timestamp, data }: EventBody): Promise<Receipt> {
    const declaration = await this.declarationOf(event);
    const { session } = data as SessionEventData;
    const version = await this.flows.version(declaration ?? { ...session, workspace_id: event.workspace_id });
    if (declaration) {
      const confirmation = await this.confirmationOf(declaration);
      return { ...receiptOf(declaration, version.product_name), ...(confirmation && { confirmation }) };
    }
    return receiptOfSession(session.locale, version, new Date(timestamp));
  }

  /** Without PUBLIC_URL, nobody knows where the page is; an older version made declarations without a key. */
  private async confirmationOf(declaration: Declaration): Promise<Receipt['confirmation']> {
    const { publicUrl } = this.config;
    const { workspace_id, flow_id, language, receipt_key, confirmation_key } = declaration;
    if (publicUrl === undefined || confirmation_key === null) return undefined;
    const { slug } = await this.units.reader(theServiceIn(workspace_id)).get(Flow, flow_id);
    const { wasItYou: lead, itWasMe: label } = EXIT_WORDS[language].receipt;
    return { lead, label, url: `${publicUrl}/exit/${slug}/confirm/${receipt_key}.${confirmation_key}` };
  }

  private async declarationOf({ workspace_id, type, data }: Claim['event']): Promise<Declaration | undefined> {
    if (type !== 'cancellation.declared') return undefined;
    const { declaration_id: id } = data as EventData['cancellation.declared'];
    return (await this.units.reader(theServiceIn(workspace_id)).find(Declaration, { id })).at(0);
  }
}
