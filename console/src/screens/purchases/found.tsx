/** Search results, grouped by the possible kinds of the searched text. */
import { useRouter } from '@tanstack/react-router';
import { Fragment, type ReactNode, useEffect } from 'react';
import type { Row } from '../../api/operations.ts';
import { type Pages, usePages } from '../../api/queries.ts';
import type { PartialInput } from '../../api/run.ts';
import { audienceOfPage } from '../../api/session.ts';
import { type Column, PagedTable } from '../../widgets/data-table.tsx';
import { type Environment, useEnvironment } from '../../widgets/environment.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { purchasePath } from '../../widgets/go.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { isInternalReference, kindNames, type SearchKind, searchKinds, searchValue } from './search-kinds.ts';

const kinds: readonly SearchKind[] = ['token', 'phone', 'meter', 'card', 'reference'];

/** The operations that find purchases: the operator's, and a merchant's own. */
type Finder = 'purchase.list' | 'merchant_purchase.list';

type FoundRow<Name extends Finder> = Row<Name> & { readonly id: string };
type Found<Name extends Finder> = { readonly kind: SearchKind; readonly pages: Pages<FoundRow<Name>> };

export function Found<Name extends Finder>({
  text,
  name,
  columns,
  lead,
  none,
  also = [],
  near,
}: {
  readonly text: string;
  readonly name: Name;
  readonly columns: readonly Column<Row<Name>>[];
  readonly lead: string;
  /** The title of an empty result. */
  readonly none: string;
  /** Further searches by the same text, and the view of their results. */
  readonly also?: readonly {
    readonly pages: Pick<Pages<unknown>, 'rows' | 'error' | 'isLoading' | 'isOfBefore'>;
    readonly what: string;
    readonly shown: ReactNode;
  }[];
  /** Shown where nothing is found. */
  readonly near?: ReactNode;
}) {
  const router = useRouter();
  const [{ day }] = useFilters();
  const isInternal = isInternalReference(text);
  useEffect(() => {
    if (isInternal) void router.navigate({ href: purchasePath(text.trim()), replace: true });
  }, [isInternal, router, text]);
  const found = useFound(name, text, day, !isInternal);
  const isLoading = [...found, ...also].some(({ pages }) => isUnderWay(pages));
  const come = found.filter(({ pages }) => !isUnderWay(pages));
  const failed = come.filter(({ pages }) => pages.error !== null && pages.rows.length === 0);
  const groups = come.filter(
    (one) => !failed.includes(one) && (one.pages.rows.length > 0 || one.pages.isMore),
  );
  const others = also.filter(({ pages }) => pages.rows.length > 0 || pages.error !== null);
  const isNothing =
    groups.length === 0 && others.length === 0 && failed.length === 0 && !isLoading && !isInternal;
  return (
    <Page title={`Search for ${text}`} lead={lead}>
      <FilterBar
        filters={[
          { name: 'find', label: 'Search for' },
          { name: 'day', label: 'Day', type: 'date' },
        ]}
      />
      {isLoading ? <Loading what="the results" /> : null}
      {others.map(({ what, shown }) => (
        <Fragment key={what}>{shown}</Fragment>
      ))}
      {groups.map(({ kind, pages }) => (
        <Panel key={kind} title={kindNames[kind]} note={moreText(pages)} bare>
          <PagedTable
            pages={pages}
            what="purchases"
            caption={kindNames[kind]}
            empty={none}
            columns={columns}
            keyOf={idOf}
            linkOf={(row) => purchasePath(idOf(row))}
          />
        </Panel>
      ))}
      <Failed searches={failed} />
      {isNothing ? (
        <>
          <NothingFound
            none={none}
            day={day}
            searched={[...found.map(({ kind }) => kindNames[kind]), ...also.map(({ what }) => what)]}
          />
          {near}
        </>
      ) : null}
    </Page>
  );
}

function idOf(row: { readonly id: string }): string {
  return row.id;
}

/** Uses one list for each kind, so that the number of hooks is constant. */
function useFound<Name extends Finder>(
  name: Name,
  text: string,
  day: string | undefined,
  isAsked: boolean,
): Found<Name>[] {
  const wanted = searchKinds(text);
  const environment = useEnvironment();
  const asked = { name, text, day, wanted, isAsked, environment };
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
  readonly environment: Environment;
};

function useOne<Name extends Finder>(
  kind: SearchKind,
  { name, text, day, wanted, isAsked, environment }: Wanted<Name>,
): Pages<FoundRow<Name>> {
  const days = day ? { from: day, to: day } : {};
  const isWanted = isAsked && wanted.includes(kind);
  const where = name === 'purchase.list' ? { environment } : {};
  const input = { [kind]: searchValue(kind, text), ...days, ...where } as PartialInput<Name>;
  return usePages(name, input, { enabled: isWanted }) as Pages<FoundRow<Name>>;
}

/** Whether the result is still loading. */
function isUnderWay({ isLoading, isOfBefore }: Pick<Pages<unknown>, 'isLoading' | 'isOfBefore'>): boolean {
  return isLoading || isOfBefore;
}

function moreText({ rows, isMore }: Pages<unknown>): string | undefined {
  return isMore && rows.length > 0 ? 'Showing the newest. Choose a day to narrow the search.' : undefined;
}

type Search = { readonly kind: SearchKind; readonly pages: Pages<unknown> };

/** Reports failed searches together, because they usually have one cause. */
function Failed({ searches }: { readonly searches: readonly Search[] }) {
  const [first] = searches;
  if (first === undefined) return null;
  const again = () => {
    for (const { pages } of searches) pages.again();
  };
  return (
    <Panel title="Search failed" note={searches.map(({ kind }) => `${kindNames[kind]}.`).join(' ')} bare>
      <Trouble error={first.pages.error} again={again} />
    </Panel>
  );
}

function NothingFound({
  none,
  day,
  searched,
}: {
  readonly none: string;
  readonly day: string | undefined;
  readonly searched: readonly string[];
}) {
  const environment = useEnvironment();
  const where = audienceOfPage === 'console' ? ` ${environment}:` : '';
  return (
    <Panel title="No results">
      <Empty title={`${none}${day ? ' on this day' : ''}.`}>
        Searched{where} {searched.join(', ').toLowerCase()}. Check that the number is complete, or search for
        the reference on the merchant’s receipt.
      </Empty>
    </Panel>
  );
}
