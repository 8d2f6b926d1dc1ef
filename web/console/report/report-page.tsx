import type { Query, RetentionFlow } from '@retention-flow/client';
import { SegmentChoice, segmentOf } from '../audiences/segment-choice';
import type { PageProps } from '../shell/pages';
import { href, replace } from '../shell/route';
import { useSession } from '../shell/session';
import { Bars } from '../ui/bars';
import { Download } from '../ui/download';
import { Select } from '../ui/field';
import { count, counted, month, percent, shortMonth } from '../ui/format';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { worthWords } from '../overview/worth';
import { DigestChoice } from './digest-choice';
import { asked, monthAfter, monthsOf, recentMonths } from './months';
import { changesOf, keptWords } from './report-words';

type Report = Awaited<ReturnType<RetentionFlow['workspace']['report']>>;
type Counts = Pick<Report, 'customers' | 'saved' | 'kept'>;

/** The most months that the chart shows. */
const CHARTED = 12;

/** What happened in a month, or in some months, to tell others of. */
export function ReportPage({ query }: PageProps) {
  const { client } = useSession();
  const months = monthsOf(query);
  const segment = segmentOf(query);
  const wanted: Query<'workspace_report'> = { ...asked(months), ...segment };
  const loading = useLoading(
    async (signal) => {
      const report = await client.workspace.report(wanted, { signal });
      if (report.months.length >= CHARTED) return { report, months: report.months };
      const trend = { ...wanted, from: `${monthAfter(months.through, 1 - CHARTED)}-01` };
      return { report, months: (await client.workspace.report(trend, { signal })).months };
    },
    [JSON.stringify(wanted)],
  );
  const title =
    months.from === months.through ? nameOf(months.from) : `${nameOf(months.from)} to ${nameOf(months.through)}`;
  return (
    <Page
      title="Report"
      actions={
        <>
          <button type="button" class="quiet" onClick={() => print()}>
            Print
          </button>
          <Download name="report.csv" load={(signal) => client.workspace.reportCsv(wanted, { signal })} />
        </>
      }
    >
      <search class="filters">
        <MonthSelect name="from" label="From" months={months} query={query} />
        <MonthSelect name="through" label="Through" months={months} query={query} />
        <SegmentChoice path="/report" query={query} />
      </search>
      <Loaded loading={loading}>
        {({ report, months }) => (
          <>
            <Summary title={title} report={report} />
            <Months months={months} />
            <div class="columns">
              <Parts
                title="Why they wanted to leave"
                none="No survey was answered."
                columns={['Reason', 'Sessions', 'Saved', 'Kept a month']}
                rows={report.by_reason.map(({ option, label, sessions, saved, kept }) => ({
                  key: option,
                  label,
                  href: href('/comments', { reason: option, from: report.from, to: dayBefore(report.to) }),
                  value: sessions,
                  part: saved,
                  numbers: [count(sessions), count(saved), keptWords(kept)],
                }))}
              />
              <Parts
                title="What made them stay"
                none="No offer was shown."
                columns={['Offer', 'Shown', 'Accepted', 'Kept a month']}
                rows={report.by_offer.map(({ id, name, presented, accepted, kept }) => ({
                  key: id,
                  label: name,
                  href: href(`/offers/${id}`),
                  value: presented,
                  part: accepted,
                  numbers: [count(presented), count(accepted), keptWords(kept)],
                }))}
              />
            </div>
            <Parts
              title="By plan"
              none="Nobody came."
              columns={['Plan', 'Customers', 'Saved', 'Kept a month']}
              rows={(report.by_plan ?? []).map(({ plan, customers, saved, kept }) => ({
                key: plan ?? '',
                label: plan ?? 'Not known',
                value: customers ?? 0,
                part: saved ?? 0,
                numbers: [numberOf(customers), numberOf(saved), keptWords(kept)],
              }))}
            />
          </>
        )}
      </Loaded>
      <DigestChoice />
    </Page>
  );
}

interface MonthSelectProps {
  name: 'from' | 'through';
  label: string;
  months: { from: string; through: string };
  query: URLSearchParams;
}

function MonthSelect({ name, label, months, query }: MonthSelectProps) {
  return (
    <Select
      name={name}
      label={label}
      options={recentMonths().map((one) => [one, nameOf(one)] as const)}
      value={months[name]}
      onInput={(chosen) => replace('/report', { ...Object.fromEntries(query), ...months, [name]: chosen })}
    />
  );
}

function Summary({ title, report }: { title: string; report: Report }) {
  const { customers, saved, kept, before, last_year } = report;
  const isNetKnown = !kept?.some(({ amount }) => amount === null);
  const numbers: [name: string, value: string, part: (of: Counts) => number | null][] = [
    ['Customers who wanted to leave', numberOf(customers), (of) => of.customers],
    ['Customers who stayed', `${numberOf(saved)} (${percent(rateOf(report))})`, rateOf],
    isNetKnown
      ? ['Money kept a month', keptWords(kept), (of) => (of.kept?.length === 1 ? of.kept[0].amount : null)]
      : ['Money kept a month, before discounts', worthWords(report.value), () => null],
  ];
  return (
    <section class="card" aria-labelledby="summary">
      <h2 id="summary">{title}</h2>
      <p>
        {counted(customers ?? 0, 'customer')} wanted to leave, and {count(saved ?? 0)} stayed.
        {!isNetKnown &&
          ' What they pay is not known of each offer that they accepted: billing does not carry all of them out.'}
        {customers === null && ' Sessions of these months were deleted, so not all is known.'}
      </p>
      <dl class="tiles">
        {numbers.map(([name, value, part], index) => (
          <div key={name} class="card tile">
            <dt>{name}</dt>
            <dd class="tile-value">{value}</dd>
            {changesOf(
              part(report),
              [
                [part(before), before.from, before.to],
                [part(last_year), last_year.from, last_year.to],
              ],
              index === 1,
            ).map((change) => (
              <dd key={change} class="soft">
                {change}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {isNetKnown && (
        <p class="soft">
          Kept money is net: after the discounts, pauses and lower prices that were accepted, as an average of the year
          from each save.
        </p>
      )}
    </section>
  );
}

function Months({ months }: { months: Report['months'] }) {
  return (
    <section class="card">
      <h2>Month by month</h2>
      <Bars
        caption="Customers by month"
        columns={['Month', 'Customers', 'Saved', 'Rate', 'Kept a month']}
        most={Infinity}
        rows={sinceTheFirst(months).map(({ month, kept, ...counts }) => ({
          key: month,
          label: shortMonth(`${month}-01`),
          value: counts.customers ?? 0,
          part: counts.saved ?? 0,
          numbers: [numberOf(counts.customers), numberOf(counts.saved), percent(rateOf(counts)), keptWords(kept)],
        }))}
      />
      <p class="soft">A customer counts once in each month that they came in, so months do not add up.</p>
    </section>
  );
}

interface PartsProps {
  title: string;
  /** What stands there without a row. */
  none: string;
  columns: string[];
  rows: Parameters<typeof Bars>[0]['rows'];
}

function Parts({ title, none, columns, rows }: PartsProps) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {rows.length === 0 ? <p class="soft">{none}</p> : <Bars caption={title} columns={columns} rows={rows} />}
    </section>
  );
}

/** Without the months before anybody came. */
function sinceTheFirst(months: Report['months']): Report['months'] {
  const first = months.findIndex(({ customers }) => customers !== 0);
  return first < 0 ? months.slice(-1) : months.slice(first);
}

const nameOf = (one: string) => month(`${one}-01`);
const numberOf = (value: number | null) => (value === null ? '–' : count(value));
const rateOf = ({ customers, saved }: Pick<Counts, 'customers' | 'saved'>) =>
  customers ? (saved ?? 0) / customers : null;
const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
