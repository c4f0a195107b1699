/**
 * Every check of the health of a gateway process, in one list. Add one here, and its name and what
 * is down then to docs/operators/running.md.
 */

import { databaseChecks } from './database-checks.ts';
import { fenceCheck } from './fence-check.ts';
import type { HealthCheck } from './health-check.ts';
import { processChecks } from './process-checks.ts';
import { sellingCheck } from './selling-check.ts';

type CheckParts = Parameters<typeof databaseChecks>[0] &
  Parameters<typeof sellingCheck>[0] &
  Parameters<typeof fenceCheck>[0] &
  Parameters<typeof processChecks>[0];

export function listChecks(parts: CheckParts): readonly HealthCheck[] {
  return [...databaseChecks(parts), sellingCheck(parts), fenceCheck(parts), ...processChecks(parts)];
}
