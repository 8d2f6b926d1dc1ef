import { isSameRecord } from '../../platform/api/ids';
import { LACKING, lackingFor } from '../model/by-hand';
import { isDiscount } from '../../offers/terms/types';
import type { Effect } from '../../sessions/effect';
import { type Billed, isScheduled, type Named } from '../model/billed';
import { changeFor, isVoiding } from '../model/changes';
import { lackingToWrite } from '../../billing-jobs/carried-out-by';
import { BillingFailure, orFailure, type Provider } from '../model/provider';
import { mismatchOf } from '../model/result';
import { type Ending, isOf, type Task } from '../model/task';

const MAX_DETAIL = 1000;

/** Stores a request before it is sent, with what it is to do. Returns the key under which it is carried out once. */
export type RecordRequest = (request: object, effect: Effect) => Promise<string>;

/** Does a task, or finds that it is done. */
export async function attempt(task: Task, provider: Provider, record: RecordRequest): Promise<Ending> {
  try {
    return await carryOut(task, provider, record);
  } catch (error) {
    return endingOf(error);
  }
}

async function carryOut(task: Task, provider: Provider, record: RecordRequest): Promise<Ending> {
  const { id, subscription_id, mode } = task;
  const read = await provider.read(subscription_id);
  const isDone = isSameRecord(read.changedBy, id);
  if (!isDone && !isOf(task.customer, read)) return { state: 'manual', detail: foreign(read) };
  // What an earlier attempt or decision left undone, whatever becomes of this one.
  const found = mode === 'live' ? await finished(read, provider) : read;
  if (isDone) return task.effect ? resultOf(task.effect, found, null, provider) : { state: 'applied', detail: null };
  const known = await readFor(task, found, provider);
  if ('state' in known) return known;
  const { billed, named } = known;
  const decided = changeFor({ ...task, now: billed.clock ?? task.now }, billed, named);
  if ('state' in decided) return decided;
  const { change, effect, detail } = decided;
  const prepared = provider.prepare(change, billed, id);
  if (mode === 'dry_run') return { state: 'dry_run', detail: prepared.text, effect };
  const lacking = lackingToWrite(task.offer, task, isVoiding(change));
  if (lacking) return { state: 'manual', detail: LACKING[lacking] };
  const key = await record(prepared.request, effect);
  try {
    await prepared.send(key);
  } catch (error) {
    if (!isFinal(error)) throw error;
    const after = await provider.read(subscription_id);
    const isMade = after.changedBy === id;
    if (isMade && isOwed(after)) return { state: 'manual', effect, detail: unarranged(after, error.message) };
    // Nothing else will have the price change that the customer agreed to before.
    await finished(after, provider);
    throw error;
  }
  const changed = await provider.read(subscription_id);
  const isMade = changed.changedBy === id || (change.kind === 'end' && changed.status === 'over');
  if (isMade) return resultOf(effect, changed, detail, provider);
  return { state: 'pending', detail: `${changed.system} accepted the change but does not show it.`, isAnswered: true };
}

/** A subscription whose agreed price of the next period is arranged, as far as the billing system takes it. */
async function finished(billed: Billed, provider: Provider): Promise<Billed> {
  if (!isOwed(billed)) return billed;
  try {
    return await provider.finish(billed);
  } catch (error) {
    if (isFinal(error)) return billed;
    throw error;
  }
}

/** Whether a price that was agreed for the next period is still to be arranged. */
const isOwed = (billed: Billed): boolean =>
  billed.planned !== null &&
  !billed.planned.isArranged &&
  !billed.end &&
  billed.status !== 'over' &&
  !isScheduled(billed);

/** Whether trying again is of no use. */
const isFinal = (error: unknown): error is BillingFailure =>
  error instanceof BillingFailure && (error.missing !== undefined || ['rejected', 'unknown'].includes(error.kind));

const unarranged = ({ system, planned }: Billed, why: string): string =>
  `${system} has made the change, but not that of the price to ${planned!.price.id} at the end of the period${why ? ` (${why})` : ''}. Arrange it in ${system}.`.slice(
    0,
    MAX_DETAIL,
  );

/** Holds the subscription after a change against what was to come of it. */
async function resultOf(effect: Effect, changed: Billed, detail: string | null, provider: Provider): Promise<Ending> {
  const isPriced = effect.kind === 'discount' || effect.kind === 'plan_change';
  const payment = isPriced && effect.price_then !== null ? await provider.nextPayment(changed) : null;
  const mismatch = mismatchOf(effect, changed, payment);
  return mismatch === undefined ? { state: 'applied', detail, effect } : { state: 'manual', detail: mismatch, effect };
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
  const named = await (terms.price === undefined
    ? provider.named(terms)
    : orFailure(provider.named(terms), 'forbidden'));
  const billed = found.mayInherit ? await orFailure(provider.withCustomer(found), 'forbidden') : found;
  const isLacking = named === 'forbidden' || (billed === 'forbidden' && isDiscount(offer_type));
  if (isLacking) return { state: 'manual', ...lackingFor(offer!) };
  return { billed: billed === 'forbidden' ? found : billed, named };
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
  const { kind, message: detail, isAnswered, retryAfter, missing } = error;
  if (missing) return { state: 'manual', detail: LACKING[missing], missing };
  if (kind === 'refused' || kind === 'forbidden') return { state: 'pending', detail, isRefused: true };
  return kind === 'passing' ? { state: 'pending', detail, isAnswered, retryAfter } : { state: 'failed', detail };
}
