/** The overview of sales, margin and pending purchases. */
import type { Output } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { amountText, countText, dayText, lagosDay, moneyText } from '../../design/format.ts';
import { LinkButton } from '../../widgets/button.tsx';
import { Bars } from '../../widgets/chart.tsx';
import { type Environment, useEnvironment } from '../../widgets/environment.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { Columns, Figure, Figures, Page, Panel } from '../../widgets/page.tsx';
import { Time } from '../../widgets/values.tsx';
import { By } from './by.tsx';
import { marginAfterRefunds } from './margin.ts';
import { refreshOf } from './refresh.ts';

const DAYS = 7;

type Report = Output<'report.show'>;

export function Overview() {
  const [{ from: first, to: last }] = useFilters();
  const environment = useEnvironment();
  const usual = { from: lagosDay(new Date(), DAYS - 1), to: lagosDay() };
  const { from, to } = { from: first ?? usual.from, to: last ?? usual.to };
  const input = { environment, from, to, at_once: true };
  const { data: report, error, refetch } = useAnswer('report.show', input, { refreshMs: refreshOf });
  // The same number of days before these.
  const length = daysBetween(from, to) + 1;
  const earlier = { from: dayBefore(from, length), to: dayBefore(from, 1) };
  const before = useAnswer(
    'report.show',
    { environment, ...earlier, at_once: true },
    { enabled: report !== undefined },
  );
  // A browser sends few requests at a time, and those of the other parts would come first.
  const isNext = report !== undefined || error !== null;
  return (
    <Page
      title="Overview"
      lead={`From ${dayText(from)} to ${dayText(to)}, ${environment}. Days are in Lagos time.`}
    >
      <FilterBar
        filters={[
          { name: 'from', label: 'From', type: 'date', usual: usual.from },
          { name: 'to', label: 'To', type: 'date', usual: usual.to },
        ]}
      />
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {report === undefined ? (
        error === null ? (
          <Loading what="the report" />
        ) : null
      ) : (
        <Totals report={report} before={before.data} />
      )}
      <Panel title={`Purchases of the last ${DAYS} days`}>
        <LastDays environment={environment} isNext={isNext} />
      </Panel>
      <Columns isWide>
        <By column="product" isNext={isNext} title="By product" input={input} />
        <By column="network" isNext={isNext} title="By network or biller" input={input} />
        <By column="provider" isNext={isNext} title="By provider" input={input} />
        <By column="merchant" isNext={isNext} title="By merchant" input={input} />
      </Columns>
    </Page>
  );
}

function Totals({ report, before }: { readonly report: Report; readonly before: Report | undefined }) {
  const earlier = (currency: string) => before?.totals.find((total) => total.currency === currency);
  if (report.totals.length === 0) {
    return report.added_up.complete ? (
      <Panel title="No sales on these days">
        <Hint>Change the dates, or switch between live and test at the top.</Hint>
      </Panel>
    ) : (
      <AddedUp report={report} />
    );
  }
  return (
    <>
      <AddedUp report={report} />
      {report.totals.map((total) => (
        <Figures key={total.currency}>
          <Figure
            name="Purchases"
            note={`${countText(total.successes)} successes, ${countText(total.failures)} failures. ${beforeText(before, countText(earlier(total.currency)?.purchases ?? 0))}`}
          >
            {countText(total.purchases)}
          </Figure>
          <Figure
            name="Success"
            note={`of final purchases, without ${countText(total.refused)} refused. ${beforeText(before, rateText(earlier(total.currency)?.success_rate))}`}
          >
            {total.success_rate === null ? '–' : `${total.success_rate} %`}
          </Figure>
          <Figure
            name="Value"
            note={`face value of successes. ${beforeText(before, moneyText(earlier(total.currency)?.face_value ?? '0', total.currency))}`}
          >
            {moneyText(total.face_value, total.currency)}
          </Figure>
          <Figure
            name="Margin after refunds"
            note={`${moneyText(total.margin, total.currency)} before ${moneyText(total.refunded, total.currency)} of refunds`}
          >
            {moneyText(amountText(marginAfterRefunds(total)), total.currency)}
          </Figure>
          <Figure
            name="Pending"
            note={
              <>
                {countText(total.pending_over_30s)} over 30 s, {countText(total.pending_over_24h)} over 24 h
              </>
            }
          >
            {countText(total.pending)}
          </Figure>
          <Figure name="Time to final, p95" note="from acceptance to outcome">
            {total.time_to_final_ms.p95 === null ? '–' : `${countText(total.time_to_final_ms.p95)} ms`}
          </Figure>
        </Figures>
      ))}
      {report.agrees === false ? (
        <Hint tone="bad">The ledger does not match the purchases. Run the audit under Books.</Hint>
      ) : null}
      <div>
        <LinkButton to="/purchases?status=pending">Show pending purchases</LinkButton>
      </div>
    </>
  );
}

/** Shows the figure of the previous period next to the current one. */
function beforeText(before: Report | undefined, figure: string): string {
  return before === undefined ? '' : `${figure} in the period before.`;
}

function rateText(rate: string | null | undefined): string {
  return rate === null || rate === undefined ? 'No final purchases' : `${rate} %`;
}

function dayBefore(day: string, days: number): string {
  return lagosDay(new Date(`${day}T12:00:00Z`), days);
}

function daysBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000));
}

/** States up to when the figures are complete. */
function AddedUp({ report: { added_up: addedUp } }: { readonly report: Report }) {
  return (
    <p>
      As of <Time at={addedUp.up_to} />
      {addedUp.complete ? '.' : '. These days are incomplete.'}
    </p>
  );
}

function LastDays({ environment, isNext }: { readonly environment: Environment; readonly isNext: boolean }) {
  // This week and the one before.
  const days = { from: lagosDay(new Date(), 2 * DAYS - 1), to: lagosDay() };
  const { data, error, refetch } = useAnswer(
    'day.sales',
    { ...days, environment },
    { enabled: isNext, refreshMs: refreshOf },
  );
  if (error !== null) return <Trouble error={error} again={() => void refetch()} />;
  if (data === undefined) return <Loading what="the last days" />;
  const sold = (totals: readonly { readonly purchases: number }[]) =>
    totals.reduce((all, { purchases }) => all + purchases, 0);
  const lastWeek = data.days.slice(0, DAYS);
  const bars = data.days.slice(DAYS).map(({ day, totals }, index) => ({
    before: sold(lastWeek[index]?.totals ?? []),
    name: weekday(day),
    values: (['successes', 'failures', 'pending'] as const).map((what) =>
      totals.reduce((all, total) => all + total[what], 0),
    ),
  }));
  return (
    <Bars
      title="Purchases by day"
      beforeName="Last week"
      nameHead="Day"
      bars={bars}
      series={[
        { name: 'Successes', text: countText },
        { name: 'Failures', text: countText },
        { name: 'Pending', text: countText },
      ]}
    />
  );
}

function weekday(day: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric' });
}
