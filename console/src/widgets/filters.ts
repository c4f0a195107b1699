/** Stores the filters of a list in the address, so that a filtered list can be shared. */
import { useRouter, useSearch } from '@tanstack/react-router';

export type FilterValues = Readonly<Record<string, string>>;

/** Changes filters, on this page or on the one of `path`. */
type Change = (changed: Readonly<Record<string, string>>, path?: string) => void;

export function useFilters(): readonly [FilterValues, Change] {
  const router = useRouter();
  const values: FilterValues = useSearch({ strict: false });
  const change: Change = (changed, path = location.pathname) => {
    const kept = Object.entries({ ...values, ...changed }).filter(([, value]) => value !== '');
    const search = new URLSearchParams(kept).toString();
    router.history.push(`${path}${search === '' ? '' : `?${search}`}`);
  };
  return [values, change];
}

/** Picks the filters that an operation accepts. */
export function pickFilters<const Name extends string>(
  values: FilterValues,
  names: readonly Name[],
): { [Key in Name]?: string } {
  return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : []))) as {
    [Key in Name]?: string;
  };
}
