/** The state of a purchase. A success that was refunded in full is shown as refunded only. */
import { minorUnits } from '../../design/format.ts';
import { Badge, State } from '../../widgets/values.tsx';
import { isRefundedWhole, type Refundable } from './purchase-text.ts';

export function PurchaseState({ purchase }: { readonly purchase: Refundable }) {
  const { status, refunded } = purchase;
  if (isRefundedWhole(purchase)) return <Badge tone="wait">Refunded</Badge>;
  if (status !== 'success' || minorUnits(refunded) === 0n) return <State state={status} />;
  return (
    <>
      <State state={status} /> <Badge tone="wait">Partly refunded</Badge>
    </>
  );
}
