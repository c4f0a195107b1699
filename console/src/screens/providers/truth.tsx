/** How far the answers of a provider can be believed, with the counts behind its grade. */
import type { Output } from '../../api/operations.ts';
import { networkText, productText } from '../../design/format.ts';
import { DataTable } from '../../widgets/data-table.tsx';
import { Empty } from '../../widgets/notes.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Badge, Nothing, type Tone } from '../../widgets/values.tsx';

type Provider = Output<'provider.show'>;
type Counts = Omit<Provider['thirty_days'], 'by_network'>;

const tones: Readonly<Record<string, Tone>> = { A: 'good', B: 'good', C: 'wait', D: 'bad', E: 'bad' };

/** The grade, with the evidence against the account. */
export function Truth({ of }: { readonly of: Counts }) {
  if (of.grade === null) return <Nothing />;
  const against = [
    countOf(of.contradicted, of.answers, 'contradicted'),
    countOf(of.delivered_refusals, of.refusals, 'refusals delivered'),
    countOf(of.differing_days, 30, 'days with another balance'),
    countOf(of.long_unknown, of.answers, 'unknown over 10 min'),
  ].filter((text) => text !== '');
  return (
    <>
      <Badge tone={tones[of.grade] ?? 'quiet'}>{of.grade}</Badge> {against.join(', ')}
    </>
  );
}

function countOf(count: number, all: number, what: string): string {
  return count === 0 ? '' : `${count} of ${all} ${what}`;
}

export function ThirtyDays({ provider }: { readonly provider: Provider }) {
  const { by_network: rows } = provider.thirty_days;
  return (
    <Panel title="Last 30 days" note="Cost is in percent of the face value." bare>
      {rows.length === 0 ? (
        <Empty title="No purchases.">Purchases are measured once a minute.</Empty>
      ) : (
        <DataTable
          caption="Last 30 days"
          rows={rows}
          keyOf={({ product, network }) => `${product} ${network}`}
          columns={[
            { head: 'Product', cell: ({ product }) => productText(product) },
            { head: 'Network or biller', cell: ({ network }) => networkText(network) },
            { head: 'Answers', figures: true, cell: ({ answers }) => answers },
            { head: 'Success', figures: true, cell: (one) => percent(one.success_percent) },
            { head: 'Cost', figures: true, cell: (one) => percent(one.cost_percent) },
            {
              head: 'Time to final',
              figures: true,
              cell: ({ final_seconds: seconds }) => (seconds === null ? <Nothing /> : `${seconds} s`),
            },
            { head: 'Truth', cell: (one) => <Truth of={one} /> },
          ]}
        />
      )}
    </Panel>
  );
}

function percent(value: number | null) {
  return value === null ? <Nothing /> : `${value} %`;
}
