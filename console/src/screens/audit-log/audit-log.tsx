/** Who did what to what, before and after; and the proof that nothing of it was changed. */
import { usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { Act } from '../../widgets/act.tsx';
import { Download } from '../../widgets/download.tsx';
import { type Filter, FilterBar } from '../../widgets/filter-bar.tsx';
import { pickFilters, useFilters } from '../../widgets/filters.ts';
import { MoreOperations } from '../../widgets/more-operations.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { AuditTable } from './audit-table.tsx';

const filters: readonly Filter[] = [
  { name: 'actor', label: 'Who' },
  { name: 'action', label: 'Did' },
  { name: 'subject', label: 'To' },
  {
    name: 'edge',
    label: 'From',
    choices: ['cli', 'admin', 'console', 'portal', 'api', 'gateway'].map((value) => ({ value, name: value })),
  },
  { name: 'from', label: 'From the day', type: 'date' },
  { name: 'to', label: 'To the day', type: 'date' },
];

export function AuditLog() {
  const [values] = useFilters();
  const input = pickFilters(
    values,
    filters.map(({ name }) => name),
  ) as Record<string, string>;
  const pages = usePages('audit_log.list', input);
  return (
    <Page
      title="Audit log"
      lead="It is only ever added to. Each entry has the hash of the one before."
      acts={<Act name="audit_log.verify" verb="Verify the chain" title="Is the chain whole?" />}
    >
      <FilterBar filters={filters}>
        <Download href={csvAddress('audit_log.list', input)}>CSV of all of these</Download>
      </FilterBar>
      <Panel title="Entries" bare>
        <AuditTable pages={pages} empty="Take a filter away, or look at other days." />
      </Panel>
      <MoreOperations screen="auditLog" />
    </Page>
  );
}
