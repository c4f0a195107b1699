/** A purchase as the gateway accepts it, for tests that run large numbers. */
import { applyDiscount } from '../../src/core/money.ts';
import type { AcceptItem } from '../../src/purchases/engine/accept-store.ts';

type Sale = Pick<
  AcceptItem,
  'id' | 'environment' | 'reference' | 'product' | 'network' | 'recipient' | 'faceValue' | 'createdAt'
> & {
  readonly seller: {
    readonly merchantId: number;
    readonly walletId: bigint;
    readonly credentialId: string;
    /** In basis points. */
    readonly discount: number;
  };
  readonly provider: string;
};

/** Waited for, and sent to `provider` at once. */
export function aSale({ seller, provider, ...bought }: Sale): AcceptItem {
  const { merchantId, walletId, credentialId, discount } = seller;
  return {
    ...bought,
    merchantId,
    walletId,
    credentialId,
    planCode: undefined,
    msisdn: bought.recipient,
    charge: applyDiscount(bought.faceValue, discount),
    mode: 'sync',
    route: [provider],
    details: undefined,
    refusal: undefined,
    attempt: { provider, reference: `p-${bought.id}` },
  };
}
