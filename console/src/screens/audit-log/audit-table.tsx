/** A table of audit log entries. */
import type { Row } from '../../api/operations.ts';
import type { Pages } from '../../api/queries.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Code, Nothing, RowTime } from '../../widgets/values.tsx';
import styles from './audit-table.module.css';

export function AuditTable({
  pages,
  empty,
}: {
  readonly pages: Pages<Row<'audit_log.list'>>;
  readonly empty: string;
}) {
  return (
    <PagedTable
      pages={pages}
      what="entries"
      caption="Entries of the audit log"
      empty={empty}
      keyOf={({ id }) => id}
      columns={[
        { head: 'At', cell: ({ at }) => <RowTime at={at} /> },
        { head: 'User', cell: ({ actor, principal }) => <Who actor={actor} principal={principal} /> },
        { head: 'Source', cell: ({ edge }) => edge ?? <Nothing /> },
        { head: 'Action', cell: ({ action }) => <code className={styles.act}>{action}</code> },
        { head: 'Subject', cell: ({ subject }) => <Code>{subject}</Code> },
        { head: 'Before', cell: ({ before }) => <Values values={before} /> },
        { head: 'After', cell: ({ after }) => <Values values={after} /> },
      ]}
    />
  );
}

/** Shows the user's name and, from the principal, the e-mail address. */
export function Who({ actor, principal }: { readonly actor: string; readonly principal: string | null }) {
  const address = /\((.+)\)$/.exec(principal ?? '')?.[1] ?? principal;
  if (address === null || address === actor) return actor;
  return (
    <span className={styles.values} title={principal ?? undefined}>
      <span>{actor}</span>
      <span className={styles.name}>{address}</span>
    </span>
  );
}

/** Returns texts and lists of texts as they are, and anything else as JSON. */
function valueText(value: unknown): string {
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
  if (isList) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function Values({ values }: { readonly values: unknown }) {
  const entries = Object.entries(values ?? {});
  if (entries.length === 0) return <Nothing />;
  return (
    <span className={styles.values}>
      {entries.map(([name, value]) => (
        <span key={name}>
          <span className={styles.name}>{name}</span> {valueText(value)}
        </span>
      ))}
    </span>
  );
}
