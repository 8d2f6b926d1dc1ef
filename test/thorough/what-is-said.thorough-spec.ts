import { isDeepStrictEqual } from 'node:util';
import { Jobs } from '../../src/platform/database/queue/jobs.service';
import type { Effect } from '../../src/sessions/effect';
import { API_KEY, Cut, StripeDouble } from '../billing/stripe-double';
import { billingAt, Subscribers } from '../billing/subscriber';
import { randomFrom } from '../statistics/histories';
import { Service } from '../support/service';
import { until } from '../support/until';

const SEED = Number(process.env.STORIES_SEED ?? 7);
/** As many customers as there are lanes walk at once, each of another workspace. */
const LANES = 8;
const ROUNDS = 125;
const DAY = 24 * 60 * 60;
const MOMENT = 'It takes effect in a moment.';

const MONTH = { interval: 'month' as const, interval_count: 1 };
const YEAR = { interval: 'year' as const, interval_count: 1 };
type Subscription = NonNullable<ReturnType<StripeDouble['subscriptions']['get']>>;

const OFFERS: { offer_type: string; terms?: object }[] = [
  { offer_type: 'discount_percentage', terms: { percent_off: 30, duration: 'once' } },
  { offer_type: 'discount_percentage', terms: { percent_off: 50, duration: 'repeating', months: 2 } },
  { offer_type: 'discount_fixed', terms: { amount_off: 300, currency: 'EUR', duration: 'forever' } },
  { offer_type: 'discount_percentage', terms: { coupon: 'stay' } },
  { offer_type: 'pause_subscription', terms: { months: 2 } },
  { offer_type: 'trial_extension', terms: { days: 14 } },
  { offer_type: 'plan_change', terms: { price: 'price_small' } },
  { offer_type: 'custom' },
];

/** What happens besides: to the subscription, or on the way to it. */
const MEANWHILE = [
  'nothing',
  'nothing',
  'nothing',
  'renewal',
  'portal_cancel',
  'portal_undo',
  'coupon',
  'over',
] as const;
const FAULTS = ['none', 'none', 'none', 'failing', 'cut_before', 'cut_after'] as const;

/** What was said to a customer, and what became of it. */
interface Told {
  story: string;
  /** Whether nothing happened besides. */
  isQuiet: boolean;
  said: { status: string; fulfilment: string; closing?: { title: string; body: string } };
  /** As the page reads it once all is done. */
  later: Told['said'];
  record: { state: string; carried_out_by: string | null; effect: Effect | null; detail: string | null };
  price: string | null;
  subscription: Subscription;
  wasChanged: boolean;
  nextPayment: number | null;
  /** To which a schedule changes it. */
  nextPrice: string | null;
}

describe('What a customer and the team are told', () => {
  let stripe: StripeDouble;
  let service: Service;
  const faults = new Map<string, (typeof FAULTS)[number]>();
  /** Billing waits there for what happens before it is asked. */
  const gates = new Map<string, { closed: Promise<void>; open: () => void }>();

  beforeAll(async () => {
    stripe = await StripeDouble.start();
    stripe.coupons.set('stay', { id: 'stay', percent_off: 20, duration: 'repeating', duration_in_months: 3 });
    stripe.prices.set('price_small', { unit_amount: 450 });
    stripe.carryOut = (make, { path }) => {
      const id = path.split('/')[3];
      const fault = faults.get(id);
      faults.delete(id);
      if (fault === 'failing') throw new Error('Something went wrong');
      if (fault === 'cut_before') throw new Cut();
      make();
      if (fault === 'cut_after') throw new Cut();
    };
    stripe.heard = (call) => gates.get(call.split('/').at(-1)!)?.closed;
    service = await Service.start(billingAt(stripe));
  });
  afterAll(async () => {
    await service.stop();
    await stripe.stop();
  });

  it(`is so, in ${LANES * ROUNDS} stories of subscriptions, offers, decisions, failures and changes by others`, async () => {
    const random = randomFrom(SEED);
    const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
    const lanes = await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        const acme = await service.workspace({ session_limit: 100_000 });
        const proration = lane % 2 === 0 ? 'create_prorations' : 'at_period_end';
        const subscribers = await Subscribers.of(service, acme, { proration });
        const slugs: string[] = [];
        for (const offer of OFFERS) {
          const words = { name: 'Stay', heading: 'Stay for {{price_then|less}}', limit: null };
          const { id } = await acme.offer({ ...words, ...offer });
          const flow = { offer_ids: [id], cancel_in_billing: true, after_cancel: 'stay' };
          slugs.push((await acme.publishedFlow(flow)).slug);
        }
        return { acme, subscribers, slugs };
      }),
    );
    type Lane = (typeof lanes)[number];

    const subscribed = (id: string): Subscription => {
      const status = one(['active', 'active', 'active', 'trialing', 'past_due', 'paused', 'incomplete'] as const);
      const starts = Math.floor(Date.now() / 1000) - Math.floor(random() * 25 + 1) * DAY;
      const isYearly = random() < 0.2;
      const ends = starts + (isYearly ? 365 : 30) * DAY;
      return stripe.add(id, {
        customer: random() < 0.08 ? 'cus_other' : `cus_${id}`,
        status,
        price: {
          unit_amount: one([1000, 1000, 2490, 0]),
          recurring: isYearly ? YEAR : MONTH,
        },
        item: { quantity: one([1, 1, 3]), current_period_start: starts, current_period_end: ends },
        ...(status === 'trialing' && { trial_end: ends }),
        ...(random() < 0.08 && { schedule: 'sub_sched_1' }),
        ...(random() < 0.08 && { discounts: [stripe.discount('stay')] }),
      });
    };

    const happen = (what: (typeof MEANWHILE)[number], subscription: Subscription) => {
      const [item] = subscription.items.data;
      switch (what) {
        case 'renewal':
          if (stripe.schedules.nextPrice(subscription.schedule as string)) {
            stripe.schedules.begin(subscription.id);
            return;
          }
          item.current_period_start = item.current_period_end;
          item.current_period_end += 30 * DAY;
          if (subscription.cancel_at_period_end) subscription.status = 'canceled';
          return;
        case 'portal_cancel':
          // It takes no end from there either.
          if (subscription.schedule) return;
          subscription.cancel_at_period_end = true;
          subscription.cancel_at = item.current_period_end;
          subscription.canceled_at = Math.floor(Date.now() / 1000);
          return;
        case 'portal_undo':
          subscription.cancel_at_period_end = false;
          subscription.cancel_at = subscription.canceled_at = null;
          return;
        case 'coupon':
          subscription.discounts.push(stripe.discount('stay'));
          return;
        case 'over':
          subscription.status = 'canceled';
          subscription.canceled_at = subscription.ended_at = Math.floor(Date.now() / 1000);
          return;
        default:
      }
    };

    /** A customer comes and decides. Returns how to go on once all of the round have. */
    const decide = async (
      { acme, subscribers, slugs }: Lane,
      id: string,
      subscription: Subscription,
      offers: number[],
    ) => {
      const [index, wish, meanwhile, fault] = [
        // Each another one: what billing says of the same is remembered for 10 seconds.
        offers.splice(Math.floor(random() * offers.length), 1)[0],
        one(['accept', 'accept', 'keep', 'cancel'] as const),
        one(MEANWHILE),
        one(FAULTS),
      ];
      const isSigned = random() > 0.08;
      const before = random() < 0.5;
      const story = JSON.stringify({
        id,
        offer: OFFERS[index],
        wish,
        meanwhile,
        before,
        fault,
        isSigned,
        subscription,
      });
      const customer = isSigned
        ? { customer_token: subscribers.token(id, { sub: id, customer_id: `cus_${id}` }) }
        : { customer: { id } };
      const init = { flow_slug: slugs[index], ...customer };
      const { session_id } = (await service.client.post('/api/v1/runtime/session/init', init)).body;
      await subscribers.steps(session_id, { node_key: 'start', action: 'continue' });
      const answered = { node_key: 'reason', action: 'answer', option: 'too_expensive' };
      const { node } = await subscribers.steps(session_id, answered);
      if (before) happen(meanwhile, subscription);
      const changes = stripe.made.filter(({ path }) => path.endsWith(`/${id}`)).length;
      const isShown = node.type === 'offer';
      const step =
        wish === 'accept' && isShown
          ? { node_key: node.key, action: 'accept' }
          : { action: wish === 'keep' ? wish : 'cancel' };
      let open: () => void = () => undefined;
      const closed = new Promise<void>((resolve) => (open = resolve));
      gates.set(id, { closed, open });
      const said = await subscribers.steps(session_id, step);
      return async (): Promise<() => Promise<Told>> => {
        if (!before) happen(meanwhile, subscription);
        if (fault !== 'none') faults.set(id, fault);
        gates.get(id)!.open();
        gates.delete(id);
        return async () => {
          const read = (): Promise<Told['record']> => subscribers.fulfilment(session_id);
          const record = await until(
            async () => {
              await service.database.query(
                `UPDATE fulfilments SET next_attempt_at = now() WHERE workspace_id = $1 AND state = 'pending' AND next_attempt_at < now() + interval '10 minutes'`,
                [acme.id],
              );
              service.app.get(Jobs).runNow('Fulfilments');
              return read();
            },
            ({ state }: { state: string }) => state !== 'pending',
          );
          const hadFault = fault !== 'none' && !faults.delete(id);
          const { body: later } = await service.client.get(`/api/v1/runtime/session/${session_id}`);
          return {
            story,
            isQuiet: meanwhile === 'nothing' && !hadFault,
            said,
            later,
            record,
            price: isShown ? (/Stay for (.+)/.exec(node.config.heading)?.[1] ?? null) : null,
            subscription,
            wasChanged: stripe.made.filter(({ path }) => path.endsWith(`/${id}`)).length > changes,
            nextPayment: await nextPayment(stripe, subscription),
            nextPrice: stripe.schedules.nextPrice(subscription.schedule as string)?.id ?? null,
          };
        };
      };
    };

    const states = new Map<string, number>();
    /** Subscriptions whose customer has agreed to another plan. */
    const changing = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const subscriptions = lanes.map((_, lane) => {
        const id = `sub_${round}_${lane}`;
        return { id, subscription: subscribed(id), offers: [...OFFERS.keys()] };
      });
      // What one customer decides, one after another, about one subscription.
      for (let decision = 0; decision < 1 + (round % 3); decision++) {
        const decided = await Promise.all(
          lanes.map((lane, index) => {
            const { id, subscription, offers } = subscriptions[index];
            return decide(lane, id, subscription, offers);
          }),
        );
        const changed = await Promise.all(decided.map((goOn) => goOn()));
        for (const told of await Promise.all(changed.map((settle) => settle()))) {
          const key = `${told.record.carried_out_by} ${told.record.state}`;
          states.set(key, (states.get(key) ?? 0) + 1);
          expect([told.story, untruthsIn(told)]).toEqual([told.story, []]);
          const { id, status } = told.subscription;
          if (told.record.state === 'applied' && told.record.effect?.kind === 'plan_change') changing.add(id);
          if (changing.has(id) && status !== 'canceled')
            expect([told.story, planOf(told)]).toEqual([told.story, 'price_small']);
        }
      }
    }
    // The stories end in every way, and most are carried out.
    for (const ending of ['service applied', 'service manual', 'person manual']) {
      expect([ending, (states.get(ending) ?? 0) > LANES]).toEqual([ending, true]);
    }
    expect(states.get('service applied')).toBeGreaterThan(LANES * ROUNDS * 0.3);
  }, 600_000);
});

/** The plan that a subscription has or will have, unless it ends before. */
function planOf({ subscription, nextPrice }: Told): string {
  const { metadata, items, cancel_at_period_end: ends } = subscription;
  return (ends && metadata.retention_flow_price?.split('>').at(1)) || (nextPrice ?? items.data[0].price.id);
}

/** The next payment as the double previews it; null if there is none to preview. */
async function nextPayment({ url, schedules }: StripeDouble, { id, schedule }: Subscription): Promise<number | null> {
  const response = await fetch(`${url}/v1/invoices/create_preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: schedules.has(schedule as string) ? `schedule=${schedule as string}` : `subscription=${id}`,
  });
  const { lines } = (await response.json()) as {
    lines: { data: { amount: number; discount_amounts: { amount: number }[] }[] };
  };
  return lines.data
    .flatMap(({ amount, discount_amounts }) => [amount, ...discount_amounts.map((one) => -one.amount)])
    .reduce((sum, amount) => sum + amount, 0);
}

/** What was said and is untrue. */
function untruthsIn(told: Told): string[] {
  const { said, later, record, subscription, wasChanged, isQuiet, price } = told;
  const untruths: string[] = [];
  const claim = (isSo: boolean, words: string) => isSo || untruths.push(words);
  const { state, carried_out_by, effect } = record;

  if (carried_out_by !== 'service') {
    claim(said.fulfilment === 'none' && later.fulfilment === 'none', 'something is said of billing that a person does');
    claim(said.status !== 'canceled' || !said.closing, 'the end is said, and a person has to set it');
    claim(!JSON.stringify(said.closing ?? '').includes(MOMENT), 'a moment is said, and a person does it');
  }
  // A person's is done here if it can be after all, and then says so to the team.
  const isDoneAfterAll = carried_out_by === 'person' && state === 'applied';
  if (carried_out_by !== 'service') claim(!wasChanged || isDoneAfterAll, 'a person has to do it, and it was changed');
  if (said.fulfilment === 'pending' && isQuiet) claim(state === 'applied', `pending became ${state}: ${record.detail}`);
  if (state !== 'applied') claim(later.fulfilment !== 'applied', `the page says applied, and it is ${state}`);
  if (state === 'manual' || state === 'failed') {
    claim(later.status !== 'canceled' || !later.closing, 'the end is still said, and a person has to set it');
  }
  if (said.status === 'canceled' && said.closing && isQuiet) {
    const day = new Date(subscription.cancel_at! * 1000).toLocaleDateString('en', {
      dateStyle: 'long',
      timeZone: 'UTC',
    });
    claim(said.closing.body.includes(day), `the end is ${day}, and said is ${said.closing.body}`);
  }
  if (state === 'applied' && effect) {
    claim(isTrue(effect, told), `applied, and it is not so: ${JSON.stringify({ effect, subscription })}`);
    const then = effect.price_then;
    if (
      isQuiet &&
      price !== null &&
      price !== 'less' &&
      then !== null &&
      said.status === 'saved' &&
      effect.kind !== 'stay'
    ) {
      claim(
        Math.round(Number(price.replace(/[^\d.]/g, '')) * 100) === then,
        `the price is ${then}, and said was ${price}`,
      );
    }
  }
  return untruths;
}

/** Whether an effect is what the billing system has. */
function isTrue({ kind, from, until: end, price_then }: Effect, told: Told): boolean {
  const { subscription, nextPayment, nextPrice, isQuiet } = told;
  const { cancel_at, status, pause_collection, trial_end, items } = subscription;
  switch (kind) {
    case 'end':
      return (
        status === 'canceled' || (cancel_at !== null && isDeepStrictEqual(new Date(cancel_at * 1000), new Date(end!)))
      );
    case 'stay':
      return cancel_at === null;
    case 'pause':
      return pause_collection !== null && new Date(pause_collection.resumes_at! * 1000) <= new Date(end!);
    case 'extension':
      return new Date(trial_end! * 1000).getTime() === new Date(end!).getTime();
    case 'plan_change':
      return items.data[0].price.id === 'price_small' || (from !== null && nextPrice === 'price_small');
    default:
      return price_then === null || nextPayment === price_then || !isQuiet;
  }
}
