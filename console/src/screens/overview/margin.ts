/** Computes the margin of a report row. Pure. */
import { minorUnits } from '../../design/format.ts';

/** Returns the margin less refunds to merchants plus refunds from providers, in minor units. */
export function marginAfterRefunds(row: {
  readonly margin: string;
  readonly refunded: string;
  readonly provider_refunded: string;
}): bigint {
  return minorUnits(row.margin) - minorUnits(row.refunded) + minorUnits(row.provider_refunded);
}
