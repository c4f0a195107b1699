/** The merchant's portal for an operator: its pages, and operations on the merchant's behalf. */
import { OperationList } from '../../widgets/operation-list.tsx';
import type { Merchant } from './merchant.tsx';

export function OwnView({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  return (
    <>
      <OperationList
        title="As the merchant sees it"
        given={given}
        names={{
          'price.list': 'Prices',
          'wallet.entries': 'Statement',
          'wallet.alerts': 'Alerts',
          'funding.account': 'Funding account',
          'deposit.credited': 'Deposits',
          'merchant_purchase.list': 'Purchases',
          'merchant_purchase.show': 'One purchase',
          'merchant_purchase.reveal': 'Reveal goods',
        }}
      />
      <OperationList
        title="Bulk purchases"
        given={given}
        names={{
          'batch.list': 'Batches',
          'batch.show': 'One batch',
          'batch.rows': 'Rows of a batch',
          'batch.create': 'New batch',
          'batch.start': 'Start a batch',
          'batch.pause': 'Pause a batch',
          'batch.stop': 'Stop a batch',
        }}
      />
      <OperationList
        title="Try it"
        note="Test environment only."
        given={given}
        names={{ 'merchant_purchase.try': 'Buy in test', 'deposit.try': 'Deposit in test' }}
      />
    </>
  );
}
