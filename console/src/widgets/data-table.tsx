/**
 * A list as a table, and as cards where the screen is narrow. `j` and `k` walk through the rows: a
 * row that leads somewhere has its link in the first column.
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
  /** What the list is of, for who cannot see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  readonly linkOf?: (row: Row) => string | undefined;
};

export function DataTable<Row>({ caption, columns, rows, keyOf, linkOf }: TableProps<Row>) {
  return (
    // The roles say again what narrow screens take from a table that is shown as cards.
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
                data-screen-only={isOfActs(head)}
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
                // What leads nowhere can be walked to all the same.
                {...(link === undefined && { 'data-row': true, tabIndex: -1 })}
                className={link === undefined ? styles.row : styles.leads}
              >
                {columns.map(({ head, cell, figures }, place) => (
                  <td
                    key={head}
                    role="cell"
                    data-head={head}
                    data-screen-only={isOfActs(head)}
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

/** Nobody presses a button on paper. Undefined leaves the attribute out. */
function isOfActs(head: string): true | undefined {
  return head === 'Act' || head === 'Acts' ? true : undefined;
}

/** Below which width the rows become cards: the more columns, the sooner. */
function widthOf(columns: number): string | undefined {
  if (columns <= FEW) return styles.few;
  return columns >= MANY ? styles.many : undefined;
}

/**
 * A list that comes in pages: also while it loads, where it is empty, and where it failed. A page
 * may be empty and the list go on. What is there stays when something further fails.
 */
export function PagedTable<Row>({
  pages,
  what,
  empty,
  children,
  ...table
}: Omit<TableProps<Row>, 'rows'> & {
  readonly pages: Pages<Row>;
  /** What is listed, in the plural. */
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
  if (rows.length === 0) return `${words(what)}: none so far; there are more to look through`;
  return `${words(what)}: ${countText(rows.length)} shown${isMore ? '; there are more' : ', which is all'}`;
}
