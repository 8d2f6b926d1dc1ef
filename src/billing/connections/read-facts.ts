import type { Fact, Facts } from '../../conditions/facts';
import type { Billed } from '../model/billed';
import { factsOf } from '../model/facts';
import { BillingFailure, type Provider } from '../model/provider';
import type { Connected } from './connections.service';
import type { RecentAnswers } from './recent-answers.service';

/** The subscription with what facts need to know of its customer. A key may not be allowed to read that. */
export async function forFacts(facts: Fact[], billed: Billed, provider: Provider): Promise<Billed> {
  const needsCustomer = facts.includes('country') || (facts.includes('discounted') && billed.mayInherit);
  return needsCustomer ? ((await unlessFailed(provider.withCustomer(billed))) ?? billed) : billed;
}

/** The facts of a subscription, with the plan if it is asked for. */
export async function readFacts(
  facts: Fact[],
  billed: Billed,
  connected: Connected,
  answers: RecentAnswers,
  now: Date,
): Promise<Facts> {
  const [only, ...others] = billed.items;
  const isAsked = facts.includes('plan') && only && others.length === 0;
  const plan = isAsked
    ? await unlessFailed(answers.nameOf(connected.connection.workspace_id, connected, only.price.product))
    : undefined;
  return factsOf(billed, plan, now);
}

/** What a billing system doesn't say is unknown. */
async function unlessFailed<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BillingFailure) return undefined;
    throw error;
  }
}
