/** Pending purchases, oldest first. */
import { usePages } from '../../api/queries.ts';
import { ageText, goodsText, words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { useFilters } from '../../widgets/filters.ts';
import { Go, purchasePath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Badge, Code, Money, Nothing, RowTime } from '../../widgets/values.tsx';

const REFRESH_MS = 10_000;

const whyWords: Readonly<Record<string, string>> = {
  not_sent: 'Waiting to be sent, or being sent',
  to_be_sent_again: 'Not bought; will be sent again',
  unanswered: 'Sent, no answer',
  accepted: 'The provider is processing it',
  unknown: 'No clear answer',
  not_found: 'The provider does not know it yet',
  delivered: 'Reported delivered, goods missing',
  contradicted: 'Contradictory answers',
};

const nextWords: Readonly<Record<string, string>> = {
  send: 'Send',
  ask: 'Query',
  in_hand: 'In progress',
  nothing: 'Needs a decision',
};

export function PendingPurchases() {
  const [{ flagged }] = useFilters();
  const environment = useEnvironment();
  const input = { environment, ...(flagged === 'yes' && { flagged: true }) };
  const pages = usePages('purchase.pending', input, { refreshMs: REFRESH_MS });
  return (
    <Panel
      title="Pending purchases"
      note="Providers are queried automatically. Flagged purchases need a decision."
      actions={
        <Go to={flagged === 'yes' ? '/work' : '/work?flagged=yes'}>
          {flagged === 'yes' ? 'Show all' : 'Show flagged only'}
        </Go>
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="pending purchases"
        caption="Pending purchases, oldest first"
        empty="All purchases are final."
        keyOf={({ id }) => id}
        linkOf={({ id }) => purchasePath(id)}
        columns={[
          { head: 'Age', cell: ({ age_s: age }) => ageText(age) },
          { head: 'Reason', cell: ({ why }) => whyWords[why] ?? words(why) },
          {
            head: 'Next',
            cell: ({ next, next_at: at, flagged_at: flaggedAt }) => (
              <>
                {flaggedAt === null ? null : <Badge tone="bad">flagged</Badge>} {nextWords[next]}{' '}
                {at === null ? null : <RowTime at={at} />}
              </>
            ),
          },
          { head: 'Product', cell: ({ product, network }) => goodsText(product, network) },
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
