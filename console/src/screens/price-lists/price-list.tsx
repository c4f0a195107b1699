/** A price list: its versions, rules and merchants, and the charges and margins of a version. */
import { useParams } from '@tanstack/react-router';
import type { Output, Row } from '../../api/operations.ts';
import { useAnswer, usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { goodsText, kindText, networkText, productText, words } from '../../design/format.ts';
import { DataTable, PagedTable } from '../../widgets/data-table.tsx';
import { Download } from '../../widgets/download.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { Go, merchantPath } from '../../widgets/go.tsx';
import { Empty, Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Badge, Code, Money, Nothing, RowTime } from '../../widgets/values.tsx';

type PriceList = Output<'price_list.show'>;

const force = { force: 'Allow selling below cost' };

export function PriceListScreen() {
  const { list = '' } = useParams({ strict: false }) as { list?: string };
  const [{ version }] = useFilters();
  const chosen = version === undefined ? {} : { version: Number(version) };
  const { data, error, refetch } = useAnswer('price_list.show', { list, ...chosen });
  if (error !== null) {
    return (
      <Page title={`Price list ${list}`}>
        <Trouble error={error} again={() => void refetch()} />
      </Page>
    );
  }
  if (data === undefined) return <Loading what="the price list" />;
  const given = { list };
  const shown = data.version === null ? undefined : { list, version: data.version };
  return (
    <Page
      title={`Price list ${list}`}
      lead={data.archived_at === null ? data.description : `Archived. ${data.description}`}
      actions={
        <>
          <OperationButton
            name="price_list.add_version"
            verb="Add a version"
            look="main"
            given={given}
            labels={{ rules: 'Rules, as CSV or copied from a spreadsheet' }}
            done="Draft added."
          />
          <OperationButton name="price_list.archive" verb="Archive" given={given} done="List archived." />
        </>
      }
    >
      <Versions list={data} />
      <Merchants list={data} />
      {shown === undefined ? null : (
        <>
          <Rules list={data} />
          <Prices {...shown} />
          <Sales {...shown} />
        </>
      )}
    </Page>
  );
}

function Versions({ list: { list, versions } }: { readonly list: PriceList }) {
  return (
    <Panel title="Versions" bare>
      {versions.length === 0 ? (
        <Empty title="No versions.">Merchants of the list pay the face value.</Empty>
      ) : (
        <DataTable
          caption="Versions"
          rows={versions}
          keyOf={({ version }) => String(version)}
          linkOf={({ version }) => `/price-lists/${list}?version=${version}`}
          columns={[
            { head: 'Version', cell: ({ version }) => String(version) },
            { head: 'State', cell: ({ state }) => words(state) },
            { head: 'Holds from', cell: ({ holds_from: at }) => <RowTime at={at} /> },
            { head: 'Added by', cell: ({ created_by: by }) => by },
            {
              head: 'Actions',
              cell: ({ version, state }) => {
                const given = { list, version };
                if (state === 'draft') {
                  return (
                    <OperationButton
                      name="price_list.start"
                      verb="Start"
                      title={`Start version ${version}`}
                      given={given}
                      labels={{ from: 'From (without: now)', ...force }}
                      done="Version started."
                    />
                  );
                }
                if (state !== 'planned') return <Nothing />;
                return (
                  <OperationButton
                    name="price_list.withdraw"
                    verb="Withdraw"
                    title={`Withdraw version ${version}`}
                    given={given}
                    done="Version withdrawn."
                  />
                );
              },
            },
          ]}
        />
      )}
    </Panel>
  );
}

function Merchants({ list: { list, merchants } }: { readonly list: PriceList }) {
  return (
    <Panel
      title="Merchants"
      actions={
        <>
          <OperationButton
            name="price_list.assign"
            verb="Assign merchants"
            given={{ list }}
            labels={force}
            done="Merchants assigned."
          />
          {merchants.length === 0 ? null : (
            <OperationButton
              name="price_list.remove_merchants"
              verb="Remove merchants"
              labels={force}
              done="Merchants removed."
            />
          )}
        </>
      }
    >
      {merchants.length === 0 ? (
        <Hint>No merchant pays by this list. Assign merchants once a version holds.</Hint>
      ) : (
        merchants.map((code, index) => (
          <span key={code}>
            {index === 0 ? '' : ', '}
            <Go to={merchantPath(code)}>{code}</Go>
          </span>
        ))
      )}
    </Panel>
  );
}

function Rules({ list: { rules, version } }: { readonly list: PriceList }) {
  return (
    <Panel title={`Rules of version ${version}`} note="The most specific rule counts." bare>
      <DataTable
        caption="Rules"
        rows={rules}
        keyOf={({ product, network, kind, plan }) => `${product} ${network} ${kind} ${plan}`}
        columns={[
          { head: 'Product', cell: ({ product }) => (product === '*' ? 'All' : productText(product)) },
          { head: 'Network', cell: ({ network }) => (network === '*' ? 'All' : networkText(network)) },
          { head: 'Kind', cell: ({ kind }) => (kind === '*' ? 'All' : kindText(kind)) },
          { head: 'Plan', cell: ({ plan }) => (plan === '*' ? 'All' : <Code>{plan}</Code>) },
          { head: 'Charge', figures: true, cell: (rule) => <Pricing of={rule} /> },
          {
            head: 'Rounded up to',
            figures: true,
            cell: ({ round }) => (round === null ? <Nothing /> : `₦${round}`),
          },
        ]}
      />
    </Panel>
  );
}

function Pricing({ of: { price, off, margin } }: { readonly of: PriceList['rules'][number] }) {
  if (price !== null) return <Money amount={price} />;
  return off === null ? `${margin} % over cost` : `${off} % off`;
}

type Shown = { readonly list: string; readonly version: number };

function Prices(of: Shown) {
  const pages = usePages('price_list.preview', of);
  return (
    <Panel
      title="Against today’s costs"
      actions={<Download href={csvAddress('price_list.preview', of)}>CSV</Download>}
      bare
    >
      <PagedTable
        pages={pages}
        what="prices"
        caption="Against today’s costs"
        empty="Nothing is on sale yet."
        keyOf={keyOf}
        columns={[
          { head: 'What', cell: (row) => <What of={row} /> },
          { head: 'Face value', figures: true, cell: ({ face_value: amount }) => <Money amount={amount} /> },
          { head: 'Charge now', figures: true, cell: ({ charge_now: amount }) => <Money amount={amount} /> },
          { head: 'Charge', figures: true, cell: ({ charge }) => <Money amount={charge} /> },
          { head: 'Cost', figures: true, cell: ({ cost }) => <Money amount={cost} /> },
          { head: 'Margin', figures: true, cell: (row) => <Margin {...row} percent={row.margin_percent} /> },
        ]}
      />
    </Panel>
  );
}

function Sales(of: Shown) {
  const pages = usePages('price_list.preview_sales', of);
  return (
    <Panel
      title="Against the sales of 30 days"
      note="Live sales of the merchants of the list."
      actions={<Download href={csvAddress('price_list.preview_sales', of)}>CSV</Download>}
      bare
    >
      <PagedTable
        pages={pages}
        what="sales"
        caption="Against the sales of 30 days"
        empty="The merchants of the list have bought nothing."
        keyOf={keyOf}
        columns={[
          { head: 'What', cell: (row) => <What of={row} /> },
          { head: 'Purchases', figures: true, cell: ({ purchases }) => String(purchases) },
          { head: 'Paid', figures: true, cell: ({ paid }) => <Money amount={paid} /> },
          { head: 'Would pay', figures: true, cell: ({ would_pay: amount }) => <Money amount={amount} /> },
          { head: 'Margin', figures: true, cell: ({ margin }) => <Money amount={margin} /> },
          {
            head: 'Would earn',
            figures: true,
            cell: (row) => (
              <Margin margin={row.would_earn} percent={row.would_earn_percent} loses={row.loses} />
            ),
          },
        ]}
      />
    </Panel>
  );
}

type Place = Pick<Row<'price_list.preview'>, 'product' | 'network' | 'kind' | 'plan_code'>;

function keyOf({ product, network, kind, plan_code: plan }: Place): string {
  return `${product} ${network} ${kind} ${plan}`;
}

function What({ of: { product, network, kind, plan_code: plan } }: { readonly of: Place }) {
  return [goodsText(product, network), kindText(kind), plan].filter((word) => word !== '').join(' ');
}

function Margin({
  margin,
  percent,
  loses,
}: {
  readonly margin: string | null;
  readonly percent: number | null;
  readonly loses: boolean;
}) {
  return (
    <>
      <Money amount={margin} /> {percent === null ? null : `(${percent} %)`}{' '}
      {loses ? <Badge tone="bad">loss</Badge> : null}
    </>
  );
}
