/**
 * The environment that the whole console shows: live, or test when the address has
 * `environment=test`. Links within the console keep it. In the portal, each list has a filter.
 */
import { useRouter, useSearch } from '@tanstack/react-router';
import type { Pages } from '../api/queries.ts';
import { audienceOfPage } from '../api/session.ts';

export type Environment = 'live' | 'test';

export function useEnvironment(): Environment {
  const { environment }: { readonly environment?: string } = useSearch({ strict: false });
  return environment === 'test' ? 'test' : 'live';
}

/** Returns the path with the environment, unless the path names one. */
export function inEnvironment(path: string, environment: Environment): string {
  if (audienceOfPage !== 'console' || environment === 'live' || path.includes('environment=')) return path;
  return `${path}${path.includes('?') ? '&' : '?'}environment=${environment}`;
}

/** Returns the function that goes to a path within the console, and keeps the environment. */
export function useGoTo(): (path: string) => void {
  const router = useRouter();
  const environment = useEnvironment();
  return (path) => router.history.push(inEnvironment(path, environment));
}

/** Filters rows by the shown environment, also in the file. */
export function useOwnRows<Row extends { readonly environment: string }>(pages: Pages<Row>): Pages<Row> {
  const shown = useEnvironment();
  const rows = pages.rows.filter(({ environment }) => environment === shown);
  return { ...pages, rows, csv: `${pages.csv}&environment=${shown}` };
}
