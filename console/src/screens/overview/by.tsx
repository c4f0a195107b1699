/** Sales grouped by one column, as shares and figures. */
import type { Output } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { amountText, countText, moneyText, networkText, productText, words } from '../../design/format.ts';
import { Shares } from '../../widgets/chart.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { Panel } from '../../widgets/page.tsx';
import { marginAfterRefunds } from './margin.ts';
import { refreshOf } from './refresh.ts';

type Column = 'product' | 'network' | 'provider' | 'merchant';
type ReportRow = Output<'report.show'>['rows'][number];

const SHOWN_MAX = 10;

export function By({
  column,
  title,
  isNext,
  input,
}: {
  readonly column: Column;
  /** The part above it on the screen has loaded. */
  readonly isNext: boolean;
  readonly title: string;
  readonly input: {
    readonly environment: 'live' | 'test';
    readonly from: string;
    readonly to: string;
    readonly at_once: boolean;
  };
}) {
  const { data, error, refetch } = useAnswer(
    'report.show',
    { ...input, by: column },
    { enabled: isNext, refreshMs: refreshOf },
  );
  const naira = (data?.rows ?? []).filter(({ currency }) => currency === 'NGN');
  const rows = naira.toSorted((one, other) => soldValue(other) - soldValue(one)).slice(0, SHOWN_MAX);
  return (
    <Panel
      title={title}
      note={naira.length > SHOWN_MAX ? `The first ${SHOWN_MAX} of ${naira.length}` : undefined}
      bare
    >
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {data === undefined && error === null ? <Loading what="the figures" /> : null}
      {data !== undefined && rows.length === 0 ? <Empty title={noneText(data)} /> : null}
      {rows.length === 0 ? null : (
        <Shares
          title={title}
          nameHead={words(column)}
          bars={rows.map((row) => ({
            name: nameOf(row, column),
            values: [
              soldValue(row),
              Number(amountText(marginAfterRefunds(row))),
              row.purchases,
              Number(row.success_rate ?? 0),
            ],
          }))}
          series={[
            { name: 'Value', text: (value) => moneyText(value.toFixed(2)) },
            { name: 'Margin', text: (value) => moneyText(value.toFixed(2)) },
            { name: 'Purchases', text: countText },
            { name: 'Success', text: (value) => `${value} %` },
          ]}
        />
      )}
    </Panel>
  );
}

/** States whether there were no sales, or the days are incomplete. */
function noneText({ added_up: { complete } }: Output<'report.show'>): string {
  return complete ? 'No sales in naira on these days.' : 'These days are incomplete.';
}

function soldValue(row: ReportRow): number {
  return Number(row.face_value);
}

function nameOf(row: ReportRow, column: Column): string {
  const name = row[column] ?? 'Not sent';
  if (column === 'product') return productText(name);
  if (column === 'network') return networkText(name);
  return name === 'none' ? 'Not sent' : name;
}
