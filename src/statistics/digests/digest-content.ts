import { amountText } from '../../platform/common/minor-units';
import { DAY_MS } from '../../platform/common/days';
import { clipped, type MailContent, type MailSection, oneLine, section } from '../../platform/mail/content';
import type { LastReport } from '../report/report.service';

/** The most reasons and offers of a mail. */
const MOST = 5;

/** The mail with the report of a week or a month. `link` leads to the console. */
export function digestContent(
  workspace: string,
  unit: 'week' | 'month',
  report: LastReport,
  link: string | undefined,
): MailContent {
  const { from, to, customers, saved, kept, before, by_reason, by_offer } = report;
  const through = new Date(Date.parse(to) - DAY_MS).toISOString().slice(0, 10);
  const span = unit === 'month' ? from.slice(0, 7) : `${from} to ${through}`;
  const numbers = customers === null ? 'not all is known' : `${customers} wanted to leave, ${saved} stayed`;
  return {
    subject: `Report: ${clipped(workspace)} (${span}: ${numbers})`,
    kind: 'report',
    title: oneLine(workspace),
    lead: `${span}: ${numbers}${rateOf(report)}. The ${unit} before: ${
      before.customers === null ? 'not all is known' : `${before.customers} and ${before.saved}${rateOf(before)}`
    }.`,
    sections: [
      ...(kept?.length ? [keptSection(kept)] : []),
      ...listSection(
        'Why they wanted to leave',
        by_reason.map(({ label, sessions }) => ({ text: oneLine(label), count: sessions })),
      ),
      ...listSection(
        'What made them stay',
        by_offer.map(({ name, accepted }) => ({ text: oneLine(name), count: accepted })),
      ),
      ...(link === undefined ? [] : [{ label: 'All numbers', lines: [{ text: link, isLink: true as const }] }]),
    ],
    note: 'You get this mail because you asked for it in the console, on the page “Report”, where you can stop it. Days are those of UTC.',
  };
}

/** The share that stayed, in whole percents. */
function rateOf({ customers, saved }: Pick<LastReport, 'customers' | 'saved'>): string {
  return customers ? ` (${Math.round(((saved ?? 0) / customers) * 100)} %)` : '';
}

function keptSection(kept: NonNullable<LastReport['kept']>): MailSection {
  const texts = kept.map(({ currency, amount }) =>
    amount === null
      ? `not known${currency === null ? '' : ` in ${currency}`}: billing does not carry out all offers`
      : currency === null
        ? String(amount)
        : amountText(amount, currency, true),
  );
  return section('Money kept a month, after discounts', ...texts);
}

/** The most frequent first. */
function listSection(label: string, lines: { text: string; count: number }[]): MailSection[] {
  const shown = lines
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MOST);
  return shown.length > 0 ? [{ label, lines: shown }] : [];
}
