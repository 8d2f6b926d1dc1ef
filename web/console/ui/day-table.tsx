import { type Day, rateOf } from './day-scale';
import { count, day, percent } from './format';
import { numberColumn, Table } from './table';

/** The numbers behind a chart of days, newest first. */
export function DayTable({ days }: { days: Day[] }) {
  return (
    <Table
      label="Sessions by day"
      caption="Sessions by the day on which they began (UTC)"
      columns={[
        'Day',
        numberColumn('Sessions'),
        numberColumn('Saved'),
        numberColumn('Canceled'),
        numberColumn('Saved, share'),
      ]}
    >
      <tbody>
        {days.toReversed().map((one) => (
          <tr key={one.date}>
            <th scope="row">{day(one.date)}</th>
            <td class="number">{count(one.sessions)}</td>
            <td class="number">{count(one.saved)}</td>
            <td class="number">{count(one.canceled)}</td>
            <td class="number">{percent(rateOf(one))}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
