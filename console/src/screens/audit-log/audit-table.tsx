/** A table of audit log entries. */
import { Fragment, type ReactNode } from 'react';
import type { Row } from '../../api/operations.ts';
import type { Pages } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Go } from '../../widgets/go.tsx';
import { Nothing, RowTime } from '../../widgets/values.tsx';
import styles from './audit-table.module.css';
import { type NamedEntry, shortId, sourceNames, subjectText } from './entry-text.ts';

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
        { head: 'Source', cell: ({ edge }) => sourceNames[edge ?? ''] ?? <Nothing /> },
        { head: 'Action', cell: ({ action }) => <Action action={action} /> },
        { head: 'Subject', cell: (entry) => <Subject entry={entry} /> },
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

/** Breaks the name of an operation after its dot. */
function Action({ action }: { readonly action: string }) {
  const [kind, ...rest] = action.split('.');
  return (
    <code className={styles.act}>
      {kind}.<wbr />
      {rest.join('.')}
    </code>
  );
}

function Subject({ entry }: { readonly entry: NamedEntry }) {
  const { kind, name, to } = subjectText(entry);
  return (
    <span className={styles.values} title={entry.subject}>
      <span className={styles.name}>{kind}</span>
      {to === undefined ? name : <Go to={to}>{name}</Go>}
    </span>
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function Value({ value }: { readonly value: unknown }): ReactNode {
  if (value === null || value === undefined || value === '') return <Nothing />;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') {
    return TIME.test(value) ? <RowTime at={value} /> : <span title={value}>{shortId(value)}</span>;
  }
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value);
  if (parts.length === 0) return <Nothing />;
  return parts.map(([name, part], place) => (
    <Fragment key={name}>
      {place === 0 ? '' : ', '}
      {Array.isArray(value) ? '' : `${words(name)}: `}
      <Value value={part} />
    </Fragment>
  ));
}

export function Values({ values }: { readonly values: unknown }) {
  const entries = Object.entries(values ?? {});
  if (entries.length === 0) return <Nothing />;
  return (
    <span className={styles.values}>
      {entries.map(([name, value]) => (
        <span key={name}>
          <span className={styles.name}>{words(name)}</span> <Value value={value} />
        </span>
      ))}
    </span>
  );
}
