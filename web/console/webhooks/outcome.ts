import type { EventRecord, RetentionFlow } from '@retention-flow/client';

export type Delivery = EventRecord['deliveries'][number];

const PAUSE_MS = 500;
/** An attempt takes at most 15 seconds. */
const LONGEST_MS = 20_000;

/** How an event that was just sent to a webhook arrived. It may still be pending after a while. */
export async function outcomeOf(
  client: RetentionFlow,
  eventId: string,
  webhookId: string,
  signal: AbortSignal,
): Promise<Delivery | undefined> {
  for (let waited = 0; ; waited += PAUSE_MS) {
    const { deliveries } = await client.events.get(eventId, { signal });
    const delivery = deliveries.find(({ webhook_id }) => webhook_id === webhookId);
    if (delivery?.status !== 'pending' || waited >= LONGEST_MS) return delivery;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal.throwIfAborted();
  }
}

/** What became of a test, in a sentence. */
export function ofTest(delivery: Delivery | undefined): { isGood: boolean; sentence: string } {
  if (delivery?.status === 'delivered') {
    return { isGood: true, sentence: `The test was delivered. The endpoint answered ${delivery.last_status}.` };
  }
  if (delivery?.status !== 'failed') {
    return { isGood: false, sentence: 'The test has not been sent yet. It stands among the deliveries.' };
  }
  return { isGood: false, sentence: `The test failed. ${delivery.last_error ?? ''}`.trim() };
}
