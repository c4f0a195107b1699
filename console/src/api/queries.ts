/** Reads operations as cached queries, which are refreshed after each change. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ListName, OperationName, Output, Row } from './operations.ts';
import { csvAddress, type PartialInput, runOperation } from './run.ts';

type Options = { readonly enabled?: boolean; readonly refreshMs?: number };

type AnswerOptions<Name extends OperationName> = {
  readonly enabled?: boolean;
  readonly refreshMs?: number | ((answer: Output<Name> | undefined) => number);
};

export function useAnswer<Name extends OperationName>(
  name: Name,
  input: PartialInput<Name>,
  { enabled = true, refreshMs = 0 }: AnswerOptions<Name> = {},
) {
  return useQuery<Output<Name>>({
    queryKey: [name, input],
    queryFn: () => runOperation(name, input),
    enabled,
    refetchInterval: ({ state }) => (typeof refreshMs === 'number' ? refreshMs : refreshMs(state.data)),
  });
}

export type Pages<One> = {
  readonly rows: readonly One[];
  readonly error: Error | null;
  /** No rows can be shown yet. */
  readonly isLoading: boolean;
  /** The rows belong to the previous input, and the rows of this input are loading. */
  readonly isOfBefore: boolean;
  readonly isMore: boolean;
  readonly isLoadingMore: boolean;
  readonly more: () => void;
  readonly again: () => void;
  /** The newest page, with its members besides the rows. Undefined while it loads. */
  readonly last: unknown;
  /** The address of the whole list as a file. */
  readonly csv: string;
};

type Paged = { readonly cursor: string | null };

const PAGE_ROWS = 100;

/** Reads a list page by page. */
export function usePages<Name extends ListName>(
  name: Name,
  input: PartialInput<Name>,
  options: Options = {},
): Pages<Row<Name>> {
  return useRowsOf(name, input, options, (page) => (page as unknown as { data: Row<Name>[] }).data);
}

type Line = Output<'wallet.statement'>['items'][number];

/** Reads the lines of a wallet statement page by page. */
export function useStatement(input: PartialInput<'wallet.statement'>): Pages<Line> {
  return useRowsOf('wallet.statement', input, {}, ({ items }) => items);
}

function useRowsOf<Name extends OperationName, One>(
  name: Name,
  input: PartialInput<Name>,
  options: Options,
  rowsOf: (page: Output<Name>) => readonly One[],
): Pages<One> {
  const found = useInfiniteQuery({
    queryKey: [name, 'pages', input],
    queryFn: ({ pageParam }) =>
      runOperation(name, { limit: PAGE_ROWS, ...input, ...(pageParam !== '' && { cursor: pageParam }) }),
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
    // An empty result of the previous input does not apply to this one.
    isLoading: (found.isPending && found.fetchStatus !== 'idle') || (isOfBefore && rows.length === 0),
    isOfBefore,
    isMore: found.hasNextPage,
    isLoadingMore: found.isFetchingNextPage,
    more: () => void found.fetchNextPage(),
    // Only the page that failed is requested again.
    again: () => void (found.isFetchNextPageError ? found.fetchNextPage() : found.refetch()),
    last: isOfBefore ? undefined : pages.at(-1),
    csv: csvAddress(name, input),
  };
}
