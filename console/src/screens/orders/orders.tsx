/** Orders of gift cards and eSIMs, failed deliveries, and vouchers. */
import { usePages } from '../../api/queries.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { purchasePath } from '../../widgets/go.tsx';
import { Empty } from '../../widgets/notes.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { purchaseColumns } from '../purchases/purchase-columns.tsx';
import { DeliveriesToMend } from '../work/others.tsx';
import { VoucherPanel } from './voucher-panel.tsx';

export function Orders() {
  return (
    <Page title="Orders and vouchers" lead="Gift cards, eSIMs, deliveries to customers, and vouchers.">
      <Tabs
        label="Orders and vouchers"
        path="/orders"
        tabs={[
          { id: 'cards', name: 'Gift cards', show: () => <OrderList product="GIFTCARD" /> },
          { id: 'esims', name: 'eSIMs', show: () => <OrderList product="ESIM" /> },
          { id: 'sent', name: 'Not delivered', show: () => <DeliveriesToMend /> },
          { id: 'vouchers', name: 'Vouchers', show: () => <Vouchers /> },
        ]}
      />
    </Page>
  );
}

function OrderList({ product }: { readonly product: 'GIFTCARD' | 'ESIM' }) {
  const input = { product, environment: useEnvironment() };
  const pages = usePages('purchase.list', input);
  return (
    <Panel
      title={product === 'ESIM' ? 'Orders of eSIMs' : 'Orders of gift cards'}
      note="Open an order to see, resend or add its goods."
      bare
    >
      <PagedTable
        pages={pages}
        what="orders"
        caption="Orders"
        empty="No orders yet."
        columns={purchaseColumns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => purchasePath(id)}
      />
    </Panel>
  );
}

function Vouchers() {
  const [{ merchant }] = useFilters();
  return (
    <>
      <FilterBar filters={[{ name: 'merchant', label: 'Merchant' }]} />
      {merchant ? (
        <VoucherPanel merchant={merchant} />
      ) : (
        <Panel title="Vouchers">
          <Empty title="Choose a merchant.">Enter the merchant’s code above.</Empty>
        </Panel>
      )}
    </>
  );
}
