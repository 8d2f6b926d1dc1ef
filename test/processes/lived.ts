/** What one customer did in one session. */
export interface Lived {
  /** Who it was; somebody else once they are erased. */
  customer: string | undefined;
  day: number;
  /** Whether the customer pays 10 EUR a month. */
  isWorth: boolean;
  /** The session's record, read after its last step. */
  // oxlint-disable-next-line no-explicit-any
  record: any;
}

/** 7 EUR, paid in the evening. */
export interface Payment {
  customer: string;
  day: number;
}

interface Today {
  day: number;
  daysAgo: (day: number) => number;
}

/** What they say instead if sessions were deleted: nobody can tell whether a customer came again. */
export const UNKNOWN = {
  customers: null,
  rates: { saved: null, saved_by_offer: null, canceled: null },
  splits: [{ arms: null }],
  value: null,
  lasting: null,
};

/** What the statistics of the days from `from` to today have to say, worked out from what each customer did. */
export function numbersOf(all: Lived[], payments: Payment[], from: number, today: Today, offerId: string) {
  const sessions = all
    .filter(({ day }) => day >= from)
    .toSorted((a, b) => a.day - b.day || (a.record.id < b.record.id ? -1 : 1));
  const statusOf = ({ day, record }: Lived): string =>
    record.status === 'in_progress' && day < today.day ? 'abandoned' : record.status;
  const count = (status: string, of = sessions) => of.filter((session) => statusOf(session) === status).length;
  const savedOf = (of: Lived[]) => count('saved', of);

  const isOver = (session: Lived) => ['saved', 'canceled'].includes(statusOf(session));
  /**
   * Sessions without an end come first, then the others by the time of their end. One batch of steps gives several the
   * same time: these go by their ids. For a day that is over, times and ids are as they were on that day.
   */
  const asDecided = (of: Lived[]) => [
    ...of.filter((session) => !isOver(session)),
    ...of
      .filter(isOver)
      .toSorted(
        (a, b) =>
          a.day - b.day ||
          Date.parse(a.record.updated_at) - Date.parse(b.record.updated_at) ||
          (a.record.id < b.record.id ? -1 : 1),
      ),
  ];
  /** The session that a customer counts with: the last that ended, else an open one. */
  const chosenOf = (of: Lived[]) => {
    const chosen = new Map<string, Lived>();
    for (const session of asDecided(of)) {
      const person = session.customer ?? session.record.id;
      const before = chosen.get(person);
      if (!before || isOver(session) || !isOver(before)) chosen.set(person, session);
    }
    return [...chosen.values()];
  };
  const customersOf = (of: Lived[]) => {
    const chosen = chosenOf(of);
    return {
      total: chosen.length,
      saved: savedOf(chosen),
      saved_by_offer: chosen.filter(({ record }) => record.accepted_offer).length,
      canceled: count('canceled', chosen),
      in_progress: count('in_progress', chosen),
      abandoned: count('abandoned', chosen),
    };
  };
  const customers = customersOf(sessions);
  const share = (part: number) => (customers.total === 0 ? null : part / customers.total);
  const answered = (option: string) =>
    sessions.filter(({ record }) => record.answers.some((answer: { option: string }) => answer.option === option));
  const presented = sessions.filter(
    ({ record }) => record.current_node === 'discount' || record.steps.some((step: { offer: unknown }) => step.offer),
  );
  const arms = ['discount', 'nothing'].map((name) => {
    // Since they began, whatever the span is.
    const came = all.filter(({ record }) =>
      record.steps.some((step: { ways: Record<string, string> | null }) => step.ways?.test === name),
    );
    const customers = came.flatMap(({ customer }) => customer ?? []);
    const { total, ...others } = customersOf(all.filter(({ customer }) => customer && customers.includes(customer)));
    return { name, customers: total, ...others, without_customer: came.filter(({ customer }) => !customer).length };
  });

  const worth = chosenOf(sessions.filter(({ customer }) => customer));
  const paying = worth.filter(({ isWorth }) => isWorth);
  const paidSince = worth
    .filter((session) => statusOf(session) === 'saved')
    .flatMap((session) => payments.filter(({ customer, day }) => customer === session.customer && day >= session.day));
  const valueOf = (of: Lived[], amount: number) => ({
    customers: of.length,
    at_risk: amount * of.length,
    saved: amount * savedOf(of),
    canceled: amount * count('canceled', of),
  });
  const estimated = worth.filter(({ isWorth }) => !isWorth);

  const oldSaves = new Map<string, Lived>();
  for (const session of asDecided(sessions)) {
    const isOld = today.daysAgo(session.day) >= 30;
    if (session.customer && isOld && statusOf(session) === 'saved') oldSaves.set(session.customer, session);
  }
  const stillThere = [...oldSaves.values()].filter(
    (save) =>
      !sessions.some(
        (one) =>
          one.customer === save.customer &&
          statusOf(one) === 'canceled' &&
          one.record.updated_at > save.record.updated_at,
      ),
  );
  return {
    sessions: {
      total: sessions.length,
      in_progress: count('in_progress'),
      saved: count('saved'),
      canceled: count('canceled'),
      contacted: 0,
      abandoned: count('abandoned'),
    },
    customers,
    rates: {
      saved: share(customers.saved),
      saved_by_offer: share(customers.saved_by_offer),
      canceled: share(customers.canceled),
    },
    reasons: ['price', 'moving']
      .map((option) => ({ option, sessions: answered(option).length, saved: savedOf(answered(option)) }))
      .filter((reason) => reason.sessions > 0)
      .toSorted((a, b) => b.sessions - a.sessions || (a.option < b.option ? -1 : 1)),
    offers: [
      {
        id: offerId,
        presented: presented.length,
        accepted: presented.filter(({ record }) => record.accepted_offer).length,
        contacted: 0,
      },
    ],
    splits: [{ arms }],
    value: [
      { currency: 'EUR', ...valueOf(paying, 1000), paid_since: 700 * paidSince.length },
      { currency: null, ...valueOf(estimated, 10), paid_since: null },
    ],
    lasting: [
      { days: 30, customers: oldSaves.size, still_there: stillThere.length },
      { days: 60 },
      { days: 90 },
      { days: 180 },
    ],
  };
}
