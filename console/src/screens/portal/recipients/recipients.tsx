/** The merchant's saved recipients. Their numbers are masked here. */
import { usePages } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { productText } from '../../../design/format.ts';
import { LinkButton } from '../../../widgets/button.tsx';
import { PagedTable } from '../../../widgets/data-table.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Page, Panel } from '../../../widgets/page.tsx';
import { Code, RowTime } from '../../../widgets/values.tsx';

export function Recipients() {
  const may = useMay();
  const pages = usePages('recipient.list', {});
  return (
    <Page
      title="Saved recipients"
      lead="Customers whom you buy for again. Numbers are masked in this list."
      actions={
        <OperationButton
          name="recipient.add"
          verb="Add recipient"
          look="main"
          labels={{ number: 'Mobile, meter or smartcard number', network: 'Network or biller' }}
          done="Recipient saved."
        />
      }
    >
      <Panel title="Your recipients" bare>
        <PagedTable
          pages={pages}
          what="recipients"
          caption="Your recipients"
          empty="Save a recipient when you buy, or after a purchase."
          keyOf={({ id }) => id}
          columns={[
            { head: 'Name', cell: ({ name }) => name },
            { head: 'Product', cell: ({ product }) => productText(product) },
            { head: 'Network or biller', cell: ({ network }) => network },
            { head: 'Number', cell: ({ hint }) => <Code>{hint}</Code> },
            { head: 'Saved', cell: ({ created_at: at }) => <RowTime at={at} /> },
            ...(may('recipient.remove')
              ? [
                  {
                    head: 'Actions',
                    cell: ({ id, name }: { readonly id: string; readonly name: string }) => (
                      <>
                        <LinkButton to={`/buy?recipient=${id}`}>Buy</LinkButton>{' '}
                        <OperationButton
                          name="recipient.rename"
                          verb="Rename"
                          title={`Rename ${name}`}
                          given={{ recipient: id }}
                          start={{ name }}
                          fields={['name']}
                          done="Recipient renamed."
                        />{' '}
                        <OperationButton
                          name="recipient.remove"
                          verb="Remove"
                          look="danger"
                          title={`Remove ${name}`}
                          lead="The purchases stay."
                          given={{ recipient: id }}
                          fields={[]}
                          done="Recipient removed."
                        />
                      </>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </Panel>
    </Page>
  );
}
