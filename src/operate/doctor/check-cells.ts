/** Checks the cells of an installation on several servers. */
import type { Queries } from '../../db/database.ts';
import { findIdleCells } from '../cluster/watch-cells.ts';
import { type Finding, ok, warn } from './finding.ts';

export async function checkCells(cells: readonly Queries[]): Promise<Finding[]> {
  const idle = await findIdleCells(cells);
  if (idle.length === 0) return [ok('cells', `${cells.length} answer, and a worker works on each`)];
  return idle.map(({ number, why }) =>
    warn('cells', `cell ${number}: ${why}`, 'see ./oja cluster status, and whether gateways run'),
  );
}
