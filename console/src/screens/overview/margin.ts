/** What a row of a report earned. Pure. */
import { minorUnits } from '../../design/format.ts';

/** In minor units: less what merchants got back, and with what providers gave back. */
export function marginAfterRefunds(row: {
  readonly margin: string;
  readonly refunded: string;
  readonly provider_refunded: string;
}): bigint {
  return minorUnits(row.margin) - minorUnits(row.refunded) + minorUnits(row.provider_refunded);
}
