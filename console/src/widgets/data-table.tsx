/**
 * A table, which becomes cards on a narrow screen. `j` and `k` move through the rows. The link of a
 * row is in its first column.
 */
import type { ReactNode } from 'react';
import type { Pages } from '../api/queries.ts';
import { countText, words } from '../design/format.ts';
import { Button } from './button.tsx';
import styles from './data-table.module.css';
import { Go } from './go.tsx';
import { Empty, Loading, Trouble } from './notes.tsx';

export type Column<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned: amounts and counts. */
  readonly figures?: boolean;
};

const FEW = 6;
const MANY = 9;

type TableProps<Row> = {
  /** The accessible name of the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  readonly linkOf?: (row: Row) => string | undefined;
};

export function DataTable<Row>({ caption, columns, rows, keyOf, linkOf }: TableProps<Row>) {
  return (
    // The roles restore the semantics that a table loses when it is shown as cards.
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <div className={`${styles.wrap} ${widthOf(columns.length)}`}>
      <table className={styles.table} role="table">
        <caption className="only-read">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, figures }) => (
              <th
                key={head}
                scope="col"
                role="columnheader"
                className={figures ? styles.right : undefined}
                data-screen-only={isOfActions(head)}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => {
            const link = linkOf?.(row);
            return (
              <tr
                key={keyOf(row, index)}
                role="row"
                // A row without a link is reachable by keyboard too.
                {...(link === undefined && { 'data-row': true, tabIndex: -1 })}
                className={link === undefined ? styles.row : styles.leads}
              >
                {columns.map(({ head, cell, figures }, place) => (
                  <td
                    key={head}
                    role="cell"
                    data-head={head}
                    data-screen-only={isOfActions(head)}
                    className={figures ? `figures ${styles.right}` : undefined}
                  >
                    {place === 0 && link !== undefined ? (
                      <Go to={link} data-row className={styles.link}>
                        {cell(row)}
                      </Go>
                    ) : (
                      <span>{cell(row)}</span>
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}

/** Whether the column has buttons, which are not printed. Undefined omits the attribute. */
function isOfActions(head: string): true | undefined {
  return head === 'Actions' ? true : undefined;
}

/** Chooses the width below which rows become cards, by the number of columns. */
function widthOf(columns: number): string | undefined {
  if (columns <= FEW) return styles.few;
  return columns >= MANY ? styles.many : undefined;
}

/**
 * A paged list, also while it loads, is empty, or failed. A page may be empty before the list ends.
 * Loaded rows stay when a later page fails.
 */
export function PagedTable<Row>({
  pages,
  what,
  empty,
  children,
  ...table
}: Omit<TableProps<Row>, 'rows'> & {
  readonly pages: Pages<Row>;
  /** The plural name of the rows. */
  readonly what: string;
  readonly empty: ReactNode;
  /** Beside the count. */
  readonly children?: ReactNode;
}) {
  const { rows, error, isLoading, isMore } = pages;
  const trouble = error === null ? null : <Trouble error={error} again={pages.again} />;
  if (isLoading) return <Loading what={what} />;
  if (rows.length === 0 && !isMore) return trouble ?? <Empty title={`No ${what}.`}>{empty}</Empty>;
  return (
    <>
      {rows.length === 0 ? null : <DataTable {...table} rows={rows} />}
      {trouble}
      <div className={styles.foot} data-screen-only>
        <span role="status">{howFar(what, pages)}</span>
        {isMore ? (
          <Button onClick={pages.more} busy={pages.isLoadingMore ? `Loading ${what}…` : undefined}>
            Show more
          </Button>
        ) : null}
        {children}
      </div>
    </>
  );
}

function howFar(what: string, { rows, isMore, isOfBefore }: Pages<unknown>): string {
  if (isOfBefore) return `Loading ${what}…`;
  if (rows.length === 0) return `${words(what)}: none so far`;
  return `${words(what)}: ${countText(rows.length)}${isMore ? ' shown' : ''}`;
}
