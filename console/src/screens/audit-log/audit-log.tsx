/** The audit log and its verification. */
import { usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { Download } from '../../widgets/download.tsx';
import { type Filter, FilterBar } from '../../widgets/filter-bar.tsx';
import { pickFilters, useFilters } from '../../widgets/filters.ts';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { AuditTable } from './audit-table.tsx';
import { sourceNames } from './entry-text.ts';

const filters: readonly Filter[] = [
  { name: 'actor', label: 'User' },
  { name: 'action', label: 'Action' },
  { name: 'subject', label: 'Subject' },
  {
    name: 'edge',
    label: 'Source',
    choices: Object.entries(sourceNames).map(([value, name]) => ({ value, name })),
  },
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
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
      lead="Append-only. Each entry contains the hash of the previous one."
      actions={
        <>
          <OperationButton name="audit_log.verify" verb="Verify" title="Verify the audit log" />
          <Download href={csvAddress('audit_log.export', pickFilters(values, ['from', 'to']))}>
            Export with hashes
          </Download>
        </>
      }
    >
      <FilterBar filters={filters} />
      <Panel title="Entries" bare>
        <AuditTable pages={pages} empty="Remove a filter or change the dates." />
      </Panel>
    </Page>
  );
}
