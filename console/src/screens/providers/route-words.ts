/** Texts that the route screens share. */
import type { Row } from '../../api/operations.ts';

export type Account = Row<'provider.list'>;
export type Route = Row<'route.list'>;
export type Strategy = Route['strategy'];

export const strategyNames: Readonly<Record<Strategy, string>> = {
  order: 'In order',
  shares: 'By shares',
  cheapest: 'Cheapest first',
  most_reliable: 'Most reliable first',
  balanced: 'Cost and reliability balanced',
};
