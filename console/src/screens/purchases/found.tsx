/** What a search found: by each thing that the text may be. */
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { Row } from '../../api/operations.ts';
import { type Pages, usePages } from '../../api/queries.ts';
import type { Asked } from '../../api/run.ts';
import { type Column, PagedTable } from '../../widgets/data-table.tsx';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { purchasePath } from '../../widgets/go.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { isInternalReference, kindWords, type SearchKind, searchKinds, searchValue } from './search-kinds.ts';

const kinds: readonly SearchKind[] = ['token', 'phone', 'meter', 'card', 'reference'];

/** The questions that find purchases: the operator's, and a merchant's own. */
type Finder = 'purchase.list' | 'merchant_purchase.list';

type FoundRow<Name extends Finder> = Row<Name> & { readonly id: string };
type Found<Name extends Finder> = { readonly kind: SearchKind; readonly pages: Pages<FoundRow<Name>> };

export function Found<Name extends Finder>({
  text,
  name,
  columns,
  lead,
  none,
  also,
}: {
  readonly text: string;
  readonly name: Name;
  readonly columns: readonly Column<Row<Name>>[];
  readonly lead: string;
  /** What is said where nothing is found: what it is that nobody did. */
  readonly none: string;
  /** What else is searched by the text, and how it is shown where something was found. */
  readonly also?: { readonly pages: Pages<unknown>; readonly shown: ReactNode };
}) {
  const router = useRouter();
  const [{ day }] = useFilters();
  const isInternal = isInternalReference(text);
  useEffect(() => {
    if (isInternal) void router.navigate({ href: purchasePath(text.trim()), replace: true });
  }, [isInternal, router, text]);
  const found = useFound(name, text, day, !isInternal);
  const isLoading = [...found, ...(also ? [also] : [])].some(({ pages }) => isUnderWay(pages));
  const come = found.filter(({ pages }) => !isUnderWay(pages));
  const failed = come.filter(({ pages }) => pages.error !== null && pages.rows.length === 0);
  const groups = come.filter(
    (one) => !failed.includes(one) && (one.pages.rows.length > 0 || one.pages.isMore),
  );
  const isAlso = also !== undefined && (also.pages.rows.length > 0 || also.pages.error !== null);
  const isNothing = groups.length === 0 && !isAlso && failed.length === 0 && !isLoading && !isInternal;
  return (
    <Page title={`Search for ${text}`} lead={lead}>
      <FilterBar
        filters={[
          { name: 'find', label: 'Search for' },
          { name: 'day', label: 'On the day', type: 'date' },
        ]}
      />
      {isLoading ? <Loading what="what was found" /> : null}
      {isAlso ? also.shown : null}
      {groups.map(({ kind, pages }) => (
        <Panel key={kind} title={kindWords[kind]} note={moreWords(pages)} bare>
          <PagedTable
            pages={pages}
            what="purchases"
            caption={kindWords[kind]}
            empty={none}
            columns={columns}
            keyOf={idOf}
            linkOf={(row) => purchasePath(idOf(row))}
          />
        </Panel>
      ))}
      <Failed searches={failed} />
      {isNothing ? <NothingFound none={none} day={day} /> : null}
    </Page>
  );
}

function idOf(row: { readonly id: string }): string {
  return row.id;
}

/** One list for each kind: the same number of hooks, whatever the text is. */
function useFound<Name extends Finder>(
  name: Name,
  text: string,
  day: string | undefined,
  isAsked: boolean,
): Found<Name>[] {
  const wanted = searchKinds(text);
  const asked = { name, text, day, wanted, isAsked };
  const all = {
    token: useOne('token', asked),
    phone: useOne('phone', asked),
    meter: useOne('meter', asked),
    card: useOne('card', asked),
    reference: useOne('reference', asked),
  };
  return [...kinds]
    .filter((kind) => wanted.includes(kind))
    .sort((one, other) => wanted.indexOf(one) - wanted.indexOf(other))
    .map((kind) => ({ kind, pages: all[kind] }));
}

type Wanted<Name extends Finder> = {
  readonly name: Name;
  readonly text: string;
  readonly day: string | undefined;
  readonly wanted: readonly SearchKind[];
  readonly isAsked: boolean;
};

function useOne<Name extends Finder>(
  kind: SearchKind,
  { name, text, day, wanted, isAsked }: Wanted<Name>,
): Pages<FoundRow<Name>> {
  const days = day ? { from: day, to: day } : {};
  const isWanted = isAsked && wanted.includes(kind);
  const input = { [kind]: searchValue(kind, text), ...days } as Asked<Name>;
  return usePages(name, input, { enabled: isWanted }) as Pages<FoundRow<Name>>;
}

/** Nothing can be said of it yet. */
function isUnderWay({ isLoading, isOfBefore }: Pages<unknown>): boolean {
  return isLoading || isOfBefore;
}

function moreWords({ rows, isMore }: Pages<unknown>): string | undefined {
  return isMore && rows.length > 0 ? 'The newest of them. To see fewer, say the day.' : undefined;
}

type Search = { readonly kind: SearchKind; readonly pages: Pages<unknown> };

/** The searches that failed, together: most often they do so for one reason. */
function Failed({ searches }: { readonly searches: readonly Search[] }) {
  const [first] = searches;
  if (first === undefined) return null;
  const again = () => {
    for (const { pages } of searches) pages.again();
  };
  return (
    <Panel
      title="Could not be searched"
      note={searches.map(({ kind }) => `${kindWords[kind]}.`).join(' ')}
      bare
    >
      <Trouble error={first.pages.error} again={again} />
    </Panel>
  );
}

function NothingFound({ none, day }: { readonly none: string; readonly day: string | undefined }) {
  return (
    <Panel title="Nothing was found">
      <Empty title={`${none}${day ? ' on this day' : ''}.`}>
        Look whether the number is written whole. Else ask for the merchant’s receipt, and search for its
        reference.
      </Empty>
    </Panel>
  );
}
