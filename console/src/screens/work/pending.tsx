/** Purchases that are not final, the oldest first. */
import { usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { ageText, words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Download } from '../../widgets/download.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { Go, purchasePath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Badge, Code, Money, Nothing, RowTime } from '../../widgets/values.tsx';

const REFRESH_MS = 10_000;

const whyWords: Readonly<Record<string, string>> = {
  not_sent: 'It waits to be sent, or is being sent',
  to_be_sent_again: 'A provider surely did not buy it: it is sent again',
  unanswered: 'It was sent, and no answer has come',
  accepted: 'The provider has the order and works on it',
  unknown: 'The answer tells nothing',
  not_found: 'The provider does not know it, perhaps not yet',
  delivered: 'The provider says delivered, and not all of it is here',
  contradicted: 'What the provider said cannot all be true',
};

const nextWords: Readonly<Record<string, string>> = {
  send: 'It is sent',
  ask: 'The provider is asked',
  in_hand: 'In hand now',
  nothing: 'A person decides',
};

export function PendingPurchases() {
  const [{ flagged }] = useFilters();
  const input = flagged === 'yes' ? { flagged: true } : {};
  const pages = usePages('purchase.pending', input, { refreshMs: REFRESH_MS });
  return (
    <Panel
      title="Pending purchases"
      note="Each is asked about by itself. Those that are flagged wait for a person."
      acts={
        <>
          <Go to={flagged === 'yes' ? '/work' : '/work?flagged=yes'}>
            {flagged === 'yes' ? 'Show all' : 'Show the flagged alone'}
          </Go>
          <Download href={csvAddress('purchase.pending', input)}>CSV</Download>
        </>
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="pending purchases"
        caption="Pending purchases, the oldest first"
        empty="Every purchase has ended."
        keyOf={({ id }) => id}
        linkOf={({ id }) => purchasePath(id)}
        columns={[
          { head: 'Age', cell: ({ age_s: age }) => ageText(age) },
          { head: 'Why', cell: ({ why }) => whyWords[why] ?? words(why) },
          {
            head: 'Next',
            cell: ({ next, next_at: at, flagged_at: flaggedAt }) => (
              <>
                {flaggedAt === null ? null : <Badge tone="bad">flagged</Badge>} {nextWords[next]}{' '}
                {at === null ? null : <RowTime at={at} />}
              </>
            ),
          },
          { head: 'Product', cell: ({ product, network }) => `${words(product.toLowerCase())} ${network}` },
          { head: 'Recipient', cell: ({ recipient }) => <Code>{recipient}</Code> },
          { head: 'Held', figures: true, cell: ({ charge }) => <Money amount={charge} /> },
          { head: 'Merchant', cell: ({ merchant }) => merchant },
          { head: 'Provider', cell: ({ provider }) => provider },
          {
            head: 'Last answer',
            cell: ({ last_answer: answer }) =>
              answer === null ? <Nothing /> : `${answer.code} ${answer.message}`,
          },
        ]}
      />
    </Panel>
  );
}
