/** Loads the descriptions of operations when the first form is opened. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { DescribedOperation } from './described-operation.ts';

const describedQuery = queryOptions({
  queryKey: ['described'],
  queryFn: async () => {
    const { operations } = await import('virtual:operations');
    return new Map(operations.map((operation) => [operation.name, operation]));
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export function useDescribed(): ReadonlyMap<string, DescribedOperation> | undefined {
  return useQuery(describedQuery).data;
}
