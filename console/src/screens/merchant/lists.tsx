/** Lists of one merchant: purchases, endpoints, vouchers and audit log entries. */
import { usePages } from '../../api/queries.ts';
import { LinkButton } from '../../widgets/button.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { purchasePath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import { AuditTable } from '../audit-log/audit-table.tsx';
import { VoucherPanel } from '../orders/voucher-panel.tsx';
import { purchaseColumns } from '../purchases/purchase-columns.tsx';
import { EndpointTable } from '../webhooks/endpoint-table.tsx';
import type { Merchant } from './merchant.tsx';

type Of = { readonly merchant: Merchant };

export function MerchantPurchases({ merchant }: Of) {
  const input = { merchant: merchant.code, environment: useEnvironment() };
  const pages = usePages('purchase.list', input);
  return (
    <Panel
      title="Purchases"
      actions={<LinkButton to={`/purchases?merchant=${merchant.code}`}>Filter</LinkButton>}
      bare
    >
      <PagedTable
        pages={pages}
        what="purchases"
        caption={`Purchases of ${merchant.name}`}
        empty="This merchant has not bought anything yet."
        columns={purchaseColumns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => purchasePath(id)}
      />
    </Panel>
  );
}

export function MerchantWebhooks({ merchant }: Of) {
  const pages = usePages('webhook.list', { merchant: merchant.code, environment: useEnvironment() });
  return (
    <Panel title="Webhook endpoints" bare>
      <EndpointTable pages={pages} empty="The merchant creates endpoints over the API or in the portal." />
    </Panel>
  );
}

export function MerchantVouchers({ merchant }: Of) {
  return <VoucherPanel merchant={merchant.code} />;
}

export function MerchantAuditLog({ merchant }: Of) {
  const pages = usePages('audit_log.list', { subject: `merchant:${merchant.code}` });
  return (
    <Panel title="Audit log" bare>
      <AuditTable pages={pages} empty="No changes are recorded." />
    </Panel>
  );
}
