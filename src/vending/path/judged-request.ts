/** A purchase that was judged against profile, catalog and routes: what accept stores. */
import type { BillAmount } from '../../products/bill-amount.ts';
import type { VendRequest } from '../vend/vend.ts';
import type { VendDetails } from '../vend/vend-details.ts';
import type { VoucherPayment } from './accept-store.ts';

/** A purchase that may be tried: priced, with its wallet and the providers that can serve it. */
export type JudgedRequest = {
  readonly request: VendRequest;
  readonly walletId: bigint;
  readonly charge: bigint;
  /** The plan's code as stored; absent for airtime. */
  readonly planCode: string | undefined;
  readonly details: VendDetails | undefined;
  /**
   * What a bill's plan takes, for the customer's own limits to narrow; absent for airtime and data.
   */
  readonly billAmount: BillAmount | undefined;
  /** What pays in the wallet's place, where a voucher does. */
  readonly voucher?: VoucherPayment;
  /** Never empty. */
  readonly route: readonly string[];
};
