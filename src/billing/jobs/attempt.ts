import { isDiscount } from '../../offers/terms/types';
import type { Billed, Named } from '../model/billed';
import { changeFor } from '../model/changes';
import { lackingFor } from '../model/lacking';
import { BillingFailure, type Provider } from '../model/provider';
import { type Ending, isOf, type Task } from '../model/task';

const MAX_DETAIL = 1000;

/**
 * Does a task, or finds that it is done.
 *
 * @param record stores the request before it is sent, and returns the key under which it is carried out once
 */
export async function attempt(
  task: Task,
  provider: Provider,
  record: (request: object) => Promise<string>,
): Promise<Ending> {
  try {
    return await carryOut(task, provider, record);
  } catch (error) {
    return endingOf(error);
  }
}

async function carryOut(task: Task, provider: Provider, record: (request: object) => Promise<string>): Promise<Ending> {
  const { id, subscription_id, mode } = task;
  const found = await provider.read(subscription_id);
  if (found.changedBy === id) return { state: 'applied', detail: null };
  if (!isOf(task.customer, found)) return { state: 'manual', detail: foreign(found) };
  const known = await readFor(task, found, provider);
  if ('state' in known) return known;
  const { billed, named } = known;
  const decided = changeFor(task, billed, named);
  if ('state' in decided) return decided;
  const { change, detail } = decided;
  const prepared = provider.prepare(change, billed, id);
  if (mode === 'dry_run') return { state: 'dry_run', detail: prepared.text };
  await prepared.send(await record(prepared.request));
  const { changedBy, status, system } = await provider.read(subscription_id);
  if (changedBy === id || (change.kind === 'end' && status === 'over')) return { state: 'applied', detail };
  return { state: 'pending', detail: `${system} accepted the change but does not show it.`, isAnswered: true };
}

/** Reads what an offer needs besides the subscription. Without the permission, a person has to look. */
async function readFor(
  { action, offer }: Task,
  found: Billed,
  provider: Provider,
): Promise<{ billed: Billed; named: Named } | Ending> {
  if (action !== 'apply') return { billed: found, named: {} };
  const { offer_type, terms } = offer!;
  // Without the permission to read coupons, no key is of use: the job waits for another one.
  const discount = isDiscount(offer_type) ? await provider.named(terms) : undefined;
  try {
    if (discount) return { billed: await provider.withInherited(found), named: discount };
    return { billed: found, named: await provider.named(terms) };
  } catch (error) {
    if (!(error instanceof BillingFailure && error.kind === 'forbidden')) throw error;
    return { state: 'manual', ...lackingFor(offer!) };
  }
}

const foreign = ({ system }: Billed): string =>
  `The subscription is of another customer than the token named, or ${system} does not know the customer. Set the claim customer_id, ` +
  'or customer_id in the metadata of the subscription.';

/**
 * How an attempt ends with an error. An error that is not the billing system's is a fault of ours or of stored data:
 * retrying would not help.
 */
function endingOf(error: unknown): Ending {
  if (!(error instanceof BillingFailure)) {
    return { state: 'manual', detail: `The request could not be made (${String(error)}).`.slice(0, MAX_DETAIL) };
  }
  const { kind, message: detail, isAnswered, retryAfter } = error;
  if (kind === 'refused' || kind === 'forbidden') return { state: 'pending', detail, isRefused: true };
  return kind === 'passing' ? { state: 'pending', detail, isAnswered, retryAfter } : { state: 'failed', detail };
}
