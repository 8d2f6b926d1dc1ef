import { type Day, rateOf } from './day-scale';
import { count, day, percent } from './format';

/** The numbers behind a chart of days, newest first. */
export function DayTable({ days }: { days: Day[] }) {
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Sessions by day">
      <table>
        <caption class="unseen">Sessions by the day on which they began (UTC)</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" class="number">
              Sessions
            </th>
            <th scope="col" class="number">
              Saved
            </th>
            <th scope="col" class="number">
              Canceled
            </th>
            <th scope="col" class="number">
              Saved, share
            </th>
          </tr>
        </thead>
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
      </table>
    </div>
  );
}
