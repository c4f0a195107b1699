/** All price lists. */
import { usePages } from '../../api/queries.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Nothing, RowTime } from '../../widgets/values.tsx';

export function PriceLists() {
  const pages = usePages('price_list.list', {});
  return (
    <Page
      title="Price lists"
      lead="What merchants pay, by version. A merchant on no list pays the face value less its own discounts."
      actions={
        <OperationButton name="price_list.create" verb="Create a list" look="main" done="List created." />
      }
    >
      <Panel title="Price lists" bare>
        <PagedTable
          pages={pages}
          what="price lists"
          caption="Price lists"
          empty="Create a list, add a version, start it and assign merchants."
          keyOf={({ list }) => list}
          linkOf={({ list }) => `/price-lists/${encodeURIComponent(list)}`}
          columns={[
            { head: 'List', cell: ({ list }) => list },
            { head: 'Description', cell: ({ description }) => description },
            {
              head: 'Version',
              figures: true,
              cell: ({ holds }) => (holds === null ? <Nothing /> : String(holds)),
            },
            { head: 'Merchants', figures: true, cell: ({ merchants }) => String(merchants) },
            { head: 'Created', cell: ({ created_at: at }) => <RowTime at={at} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}
