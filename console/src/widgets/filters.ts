/** Stores the filters of a list in the address, so that a filtered list can be shared. */
import { useRouter, useSearch } from '@tanstack/react-router';

export type FilterValues = Readonly<Record<string, string>>;

export function useFilters(): readonly [FilterValues, (changed: Readonly<Record<string, string>>) => void] {
  const router = useRouter();
  const values: FilterValues = useSearch({ strict: false });
  const change = (changed: Readonly<Record<string, string>>) => {
    const kept = Object.entries({ ...values, ...changed }).filter(([, value]) => value !== '');
    const search = new URLSearchParams(kept).toString();
    router.history.push(`${location.pathname}${search === '' ? '' : `?${search}`}`);
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
