/** Questions as queries: answers are held for a moment, and read again after each act. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ListName, OperationName, Output, Row } from './operations.ts';
import { type Asked, ask } from './run.ts';

type Options = { readonly enabled?: boolean; readonly refreshMs?: number };

type AnswerOptions<Name extends OperationName> = {
  readonly enabled?: boolean;
  readonly refreshMs?: number | ((answer: Output<Name> | undefined) => number);
};

export function useAnswer<Name extends OperationName>(
  name: Name,
  input: Asked<Name>,
  { enabled = true, refreshMs = 0 }: AnswerOptions<Name> = {},
) {
  return useQuery<Output<Name>>({
    queryKey: [name, input],
    queryFn: () => ask(name, input),
    enabled,
    refetchInterval: ({ state }) => (typeof refreshMs === 'number' ? refreshMs : refreshMs(state.data)),
  });
}

export type Pages<One> = {
  readonly rows: readonly One[];
  readonly error: Error | null;
  /** Nothing that may be shown is there yet. */
  readonly isLoading: boolean;
  /** The rows are of the question before: those of this one have not come. */
  readonly isOfBefore: boolean;
  readonly isMore: boolean;
  readonly isLoadingMore: boolean;
  readonly more: () => void;
  readonly again: () => void;
  /** Of the newest page: what a list says besides its rows. Undefined before it has come. */
  readonly last: unknown;
};

type Paged = { readonly cursor: string | null };

/** A list, page after page. */
export function usePages<Name extends ListName>(
  name: Name,
  input: Asked<Name>,
  options: Options = {},
): Pages<Row<Name>> {
  return useRowsOf(name, input, options, (page) => (page as unknown as { data: Row<Name>[] }).data);
}

type Line = Output<'wallet.statement'>['items'][number];

/** The lines of a statement, whose answer has more than a page of rows. */
export function useStatement(input: Asked<'wallet.statement'>): Pages<Line> {
  return useRowsOf('wallet.statement', input, {}, ({ items }) => items);
}

function useRowsOf<Name extends OperationName, One>(
  name: Name,
  input: Asked<Name>,
  options: Options,
  rowsOf: (page: Output<Name>) => readonly One[],
): Pages<One> {
  const found = useInfiniteQuery({
    queryKey: [name, 'pages', input],
    queryFn: ({ pageParam }) => ask(name, { ...input, ...(pageParam !== '' && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => (page as unknown as Paged).cursor ?? undefined,
    enabled: options.enabled ?? true,
    refetchInterval: options.refreshMs ?? false,
    placeholderData: keepPreviousData,
  });
  const pages = found.data?.pages ?? [];
  const rows = pages.flatMap((page) => [...rowsOf(page)]);
  const isOfBefore = found.isPlaceholderData;
  return {
    rows,
    error: found.error,
    // That the question before found nothing tells nothing of this one.
    isLoading: (found.isPending && found.fetchStatus !== 'idle') || (isOfBefore && rows.length === 0),
    isOfBefore,
    isMore: found.hasNextPage,
    isLoadingMore: found.isFetchingNextPage,
    more: () => void found.fetchNextPage(),
    // A page that did not come is asked for again, and not those before it.
    again: () => void (found.isFetchNextPageError ? found.fetchNextPage() : found.refetch()),
    last: isOfBefore ? undefined : pages.at(-1),
  };
}
