import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { Feedback } from '../../flows/graph/graph-limits';
import { readTime } from '../../platform/database/time';
import { FlowLookup } from '../../flows/lookup/flow-lookup.service';
import type { FlowVersion } from '../../flows/versions/flow-version.entity';
import type { AcceptedOffer } from '../../offers/shown-offer';
import { FlowSession } from '../../sessions/flow-session.entity';
import type { Fulfilment } from '../../billing-jobs/fulfilment.entity';
import { SessionStep } from '../../sessions/session-step.entity';
import type { BillingConnection } from '../../billing-jobs/billing-connection.entity';
import type { Task } from '../model/task';

/** A job as its session describes it. `obstacle`: why a person has to do it. */
export type Described = { action: Task['action']; offer: AcceptedOffer | null } & (
  { task: Task } | { obstacle: string }
);

/** Describes jobs by their sessions. */
@Injectable()
export class TasksService {
  constructor(
    private readonly manager: EntityManager,
    private readonly flows: FlowLookup,
  ) {}

  /** The task of a job. Only for a customer whom a token named together with the subscription. */
  async describe(
    workspaceId: string,
    job: Fulfilment,
    {
      proration,
      unpaid_on_cancel,
      missing_permissions,
    }: Pick<BillingConnection, 'proration' | 'unpaid_on_cancel' | 'missing_permissions'>,
  ): Promise<Described> {
    const { flow_session_id: id, action, mode, subscription_id } = job;
    const session = await this.manager.findOneByOrFail(FlowSession, { workspace_id: workspaceId, id });
    const { customer_id, accepted_offer: offer, erased_at } = session;
    const billing_id = job.billing_customer_id ?? session.billing_customer_id;
    const described = { action, offer };
    const without = (obstacle: string) => ({ ...described, obstacle });
    // The decision of an erased customer is still carried out, if the job says whose subscription it is.
    const isSigned = erased_at ? billing_id !== null : session.customer_verified;
    if (erased_at && !isSigned) return without('The customer was erased.');
    if (!isSigned) return without('No customer token said who the customer is.');
    if (subscription_id === null) return without('The customer token named no subscription.');
    const { offer_type, terms } = offer ?? {};
    if (offer_type === 'custom') return without('The offer is a custom one.');
    if (offer && !terms) return without('The offer has no terms.');
    const task: Task = {
      id,
      action,
      mode,
      now: await readTime(this.manager),
      subscription_id,
      customer: { id: erased_at ? null : customer_id, billing_id },
      offer: offer && offer_type && terms ? { ...offer, offer_type, terms } : null,
      proration,
      unpaid_on_cancel,
      missing_permissions,
      effect: job.effect,
      ...(action === 'cancel' && (await this.reasonOf(session))),
    };
    return { ...described, task };
  }

  /** The last answer that has a word for it, and the last comment. */
  private async reasonOf(session: FlowSession): Promise<Pick<Task, 'feedback' | 'comment'>> {
    const { workspace_id, id } = session;
    const version = await this.flows.version(session);
    const steps = await this.manager.find(SessionStep, {
      where: { workspace_id, flow_session_id: id },
      order: { position: 'DESC' },
    });
    const feedback = steps.flatMap((step) => feedbackOf(step, version) ?? []).at(0);
    const comment = steps.flatMap((step) => step.comment ?? []).at(0);
    return { feedback, comment };
  }
}

/** The feedback of the first answer, in the survey's order, that has one. */
function feedbackOf({ node_key, option, options }: SessionStep, { definition }: FlowVersion): Feedback | undefined {
  const node = definition.nodes.find(({ key }) => key === node_key);
  if (node?.type !== 'survey' || option === null) return undefined;
  const chosen = options ?? [option];
  return node.config.options.find(({ value, feedback }) => feedback && chosen.includes(value))?.feedback;
}
