/**
 * A table, which becomes cards on a narrow screen. `j` and `k` move through the rows. The link of a
 * row is in its first column. A header sorts by the values of its cells. A long table renders only
 * the rows near the window.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Pages } from '../api/queries.ts';
import { countText, words } from '../design/format.ts';
import { Button } from './button.tsx';
import styles from './data-table.module.css';
import { Download } from './download.tsx';
import { Go } from './go.tsx';
import { Empty, Loading, Trouble } from './notes.tsx';
import { compareValues, sortValue } from './sort-value.ts';

export type Column<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned: amounts and counts. */
  readonly figures?: boolean;
  /** Shown only with all columns. */
  readonly isRare?: boolean;
};

const FEW = 6;
const SOME = 7;
const MANY = 9;
/** Longer tables render only the rows near the window. */
const VIRTUAL_FROM = 120;
const ROW_PX = 41;
const OVERSCAN = 20;

type TableProps<Row> = {
  /** The accessible name of the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  readonly linkOf?: (row: Row) => string | undefined;
  /** The list continues after its rows, so sorting them does not sort the list. */
  readonly isMore?: boolean;
};

type Sort = { readonly head: string; readonly isDescending: boolean };

export function DataTable<Row>({ caption, columns, rows, keyOf, linkOf, isMore = false }: TableProps<Row>) {
  const [sort, setSort] = useState<Sort>();
  const wrap = useRef<HTMLDivElement>(null);
  const isCut = useIsCut(wrap);
  const sorted = sortRows(rows, columns, sort);
  const window_ = useWindowOf(wrap, sorted.length);
  return (
    // The roles restore the semantics that a table loses when it is shown as cards.
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <div ref={wrap} className={`${styles.wrap} ${widthOf(columns.length)} ${isCut ? styles.cut : ''}`}>
      {isMore && sort !== undefined ? (
        <p role="status" className={styles.partly} data-screen-only>
          Sorts only the {countText(rows.length)} rows shown so far. The list continues.
        </p>
      ) : null}
      <table className={styles.table} role="table" aria-rowcount={sorted.length + 1}>
        <caption className="only-read">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, figures }) => (
              <th
                key={head}
                scope="col"
                role="columnheader"
                aria-sort={sort?.head === head ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
                className={figures ? styles.right : undefined}
                data-screen-only={isOfActions(head)}
              >
                {isOfActions(head) || rows.length < 2 ? (
                  head
                ) : (
                  <button type="button" className={styles.sort} onClick={() => setSort(nextSort(sort, head))}>
                    {head}
                    <span aria-hidden="true" className={styles.arrow}>
                      {sort?.head === head ? (sort.isDescending ? '↓' : '↑') : '↕'}
                    </span>
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          <Space px={window_.before} columns={columns.length} />
          {sorted.slice(window_.from, window_.to).map((row, place) => {
            const index = window_.from + place;
            const link = linkOf?.(row);
            return (
              <tr
                key={keyOf(row, index)}
                ref={window_.measure}
                data-index={index}
                role="row"
                aria-rowindex={index + 2}
                // A row without a link is reachable by keyboard too.
                {...(link === undefined && { 'data-row': true, tabIndex: -1 })}
                className={link === undefined ? styles.row : styles.leads}
              >
                {columns.map(({ head, cell, figures }, at) => (
                  <td
                    key={head}
                    role="cell"
                    data-head={head}
                    data-screen-only={isOfActions(head)}
                    className={figures ? `figures ${styles.right}` : undefined}
                  >
                    {at === 0 && link !== undefined ? (
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
          <Space px={window_.after} columns={columns.length} />
        </tbody>
      </table>
    </div>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}

/** Ascending, descending, and the order of the list again. */
function nextSort(sort: Sort | undefined, head: string): Sort | undefined {
  if (sort?.head !== head) return { head, isDescending: false };
  return sort.isDescending ? undefined : { head, isDescending: true };
}

function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | undefined) {
  const column = columns.find(({ head }) => head === sort?.head);
  if (sort === undefined || column === undefined) return rows;
  return rows
    .map((row) => ({ row, value: sortValue(column.cell(row)) }))
    .sort((one, other) => compareValues(one.value, other.value, sort.isDescending))
    .map(({ row }) => row);
}

/** Reserves the space of rows that are not rendered. */
function Space({ px, columns }: { readonly px: number; readonly columns: number }) {
  if (px === 0) return null;
  return (
    <tr className={styles.space}>
      <td colSpan={columns} style={{ height: px }} />
    </tr>
  );
}

/** Returns the rows to render. A short table, and one on paper, is rendered whole. */
function useWindowOf(wrap: RefObject<HTMLDivElement | null>, count: number) {
  const [isPrinting, setIsPrinting] = useState(false);
  const [top, setTop] = useState(0);
  useEffect(() => {
    const begin = () => flushSync(() => setIsPrinting(true));
    const end = () => setIsPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  useLayoutEffect(() => {
    const place = wrap.current?.getBoundingClientRect().top ?? 0;
    setTop(place + scrollY);
  }, [wrap]);
  const isVirtual = count > VIRTUAL_FROM && !isPrinting;
  const rows = useWindowVirtualizer({
    count,
    enabled: isVirtual,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  if (!isVirtual) return { from: 0, to: count, before: 0, after: 0, measure: undefined };
  const shown = rows.getVirtualItems();
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    from: first?.index ?? 0,
    to: (last?.index ?? -1) + 1,
    before: (first?.start ?? top) - top,
    after: rows.getTotalSize() - ((last?.end ?? top) - top),
    measure: rows.measureElement,
  };
}

/**
 * Whether the table is wider than its container. Then it scrolls sideways without a sticky header,
 * and its times wrap. It may fit after that, but stays in this mode until its container is wider:
 * otherwise it would change with every frame.
 */
function useIsCut(wrap: RefObject<HTMLDivElement | null>): boolean {
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const element = wrap.current;
    if (element === null) return;
    let cutAt = 0;
    const look = () => {
      const { scrollWidth, clientWidth } = element;
      if (scrollWidth > clientWidth) cutAt = clientWidth;
      setIsCut(clientWidth <= cutAt);
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [wrap]);
  return isCut;
}

/** Whether the column has buttons, which are not printed. Undefined omits the attribute. */
function isOfActions(head: string): true | undefined {
  return head === 'Actions' ? true : undefined;
}

/** Chooses the width below which rows become cards, by the number of columns. */
function widthOf(columns: number): string | undefined {
  if (columns <= FEW) return styles.few;
  if (columns >= MANY) return styles.many;
  return columns >= SOME ? styles.some : undefined;
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
}: Omit<TableProps<Row>, 'rows' | 'isMore'> & {
  readonly pages: Pages<Row>;
  /** The plural name of the rows. */
  readonly what: string;
  readonly empty: ReactNode;
  /** Shown next to the count. */
  readonly children?: ReactNode;
}) {
  const { rows, error, isLoading, isMore } = pages;
  const [isWhole, setIsWhole] = useState(false);
  const hasRare = table.columns.some(({ isRare }) => isRare);
  const columns = isWhole ? table.columns : table.columns.filter(({ isRare }) => isRare !== true);
  const trouble = error === null ? null : <Trouble error={error} again={pages.again} />;
  if (isLoading) return <Loading what={what} />;
  if (rows.length === 0 && !isMore) return trouble ?? <Empty title={`No ${what}.`}>{empty}</Empty>;
  return (
    <>
      {rows.length === 0 ? null : <DataTable {...table} columns={columns} rows={rows} isMore={isMore} />}
      {trouble}
      <div className={styles.foot} data-screen-only>
        <span role="status">{howFar(what, pages)}</span>
        {isMore ? (
          <Button onClick={pages.more} busy={pages.isLoadingMore ? `Loading ${what}…` : undefined}>
            Show more
          </Button>
        ) : null}
        {hasRare && rows.length > 0 ? (
          <Button look="quiet" aria-pressed={isWhole} onClick={() => setIsWhole(!isWhole)}>
            All columns
          </Button>
        ) : null}
        {rows.length === 0 ? null : <Download href={pages.csv}>Download CSV</Download>}
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
