/** All approval requests. */
import { useAnswer, usePages } from '../../api/queries.ts';
import { countText, words } from '../../design/format.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { pickFilters, useFilters } from '../../widgets/filters.ts';
import { Page, Panel } from '../../widgets/page.tsx';
import { ApprovalTable } from './approval-table.tsx';

const states = ['waiting', 'approved', 'rejected', 'expired', 'all'] as const;

export function Approvals() {
  const [values] = useFilters();
  const input = pickFilters(values, ['state']) as { readonly state?: (typeof states)[number] };
  const pages = usePages('approval.list', input);
  const { data: count } = useAnswer('approval.count', {});
  return (
    <Page
      title="Approvals"
      lead={
        count === undefined
          ? undefined
          : `${countText(count.waiting)} waiting, ${countText(count.for_you)} need your decision.`
      }
    >
      <FilterBar
        filters={[
          {
            name: 'state',
            label: 'State',
            usual: 'waiting',
            choices: states.map((value) => ({ value, name: words(value) })),
          },
        ]}
      />
      <Panel title="Requests" bare>
        <ApprovalTable pages={pages} empty="Choose another state." />
      </Panel>
    </Page>
  );
}
