/** Chooses the refresh interval of a report: shorter while its roll-up is behind. */
import type { Output } from '../../api/operations.ts';
import { lagosDay } from '../../design/format.ts';

const USUAL_MS = 30_000;
const BEHIND_MS = 3_000;
const FRESH_MS = 60_000;

type Reported = Pick<Output<'report.show'>, 'added_up' | 'to'>;

export function refreshOf(report: Reported | undefined): number {
  if (report === undefined) return USUAL_MS;
  const { complete, up_to: upTo } = report.added_up;
  const isOld = report.to >= lagosDay() && Date.now() - Date.parse(upTo) > FRESH_MS;
  return complete && !isOld ? USUAL_MS : BEHIND_MS;
}
