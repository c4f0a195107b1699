/** The keys that encrypt stored secrets, and their rotation. */
import { usePages } from '../../api/queries.ts';
import { countText, words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Badge, Code } from '../../widgets/values.tsx';

export function Keys() {
  const pages = usePages('key.list', { limit: 200 });
  const all = pages.rows.reduce((sum, { count }) => sum + count, 0);
  return (
    <Page
      title="Encryption keys"
      lead="Each stored secret is encrypted with one key, named by the first digits of its SHA-256."
      actions={
        <OperationButton
          name="key.rotate"
          verb="Encrypt again"
          look="danger"
          title={`Encrypt ${countText(all)} values again`}
          about={{ Values: countText(all) }}
          lead="Uses the key of OJA_ENCRYPTION_KEY. It runs as a background task, and sales continue."
          fields={[]}
        />
      }
    >
      <Panel title="Encrypted values" bare>
        <PagedTable
          pages={pages}
          what="kinds of values"
          caption="Encrypted values"
          empty="Nothing is encrypted yet."
          keyOf={({ table, key }) => `${table} ${key}`}
          columns={[
            { head: 'Values', cell: ({ table }) => words(table) },
            { head: 'Key', cell: ({ key }) => <Code>{key}</Code> },
            { head: 'Count', figures: true, cell: ({ count }) => countText(count) },
            {
              head: 'State',
              cell: ({ present }) => (
                <Badge tone={present === true ? 'good' : 'wait'}>
                  {present === null ? 'Not known' : present ? 'Current key' : 'Earlier key'}
                </Badge>
              ),
            },
          ]}
        />
      </Panel>
    </Page>
  );
}
