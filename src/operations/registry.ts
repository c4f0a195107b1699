/** All operations. A line here brings one to the command line, the admin API and the documents. */

import { createTokenOperation } from '../access/operations/create-token.ts';
import { listTokensOperation } from '../access/operations/list-tokens.ts';
import { revokeTokenOperation } from '../access/operations/revoke-token.ts';
import { acknowledgeAlarmOperation } from '../alarms/operations/acknowledge-alarm.ts';
import { listAlarmsOperation } from '../alarms/operations/list-alarms.ts';
import { approveOperation, rejectOperation } from '../approvals/operations/decide-approval.ts';
import { listApprovalsOperation } from '../approvals/operations/list-approvals.ts';
import { showApprovalOperation } from '../approvals/operations/show-approval.ts';
import { runAuditOperation } from '../audit/operations/run-audit.ts';
import { exportAuditLogOperation } from '../audit-log/operations/export-audit-log.ts';
import { listAuditLogOperation } from '../audit-log/operations/list-audit-log.ts';
import { verifyAuditLogOperation } from '../audit-log/operations/verify-audit-log.ts';
import { exportCatalogOperation } from '../catalog/operations/export-catalog.ts';
import { importCatalogOperation } from '../catalog/operations/import-catalog.ts';
import { listCatalogChangesOperation } from '../catalog/operations/list-catalog-changes.ts';
import { listFxRatesOperation } from '../catalog/operations/list-fx-rates.ts';
import { setFxRateOperation } from '../catalog/operations/set-fx-rate.ts';
import { setGuardOperation } from '../catalog/operations/set-guard.ts';
import { syncCatalogOperation } from '../catalog/operations/sync-catalog.ts';
import { OperationError } from '../kernel/errors.ts';
import { listKeysOperation } from '../keys/operations/list-keys.ts';
import { rotateKeysOperation } from '../keys/operations/rotate-keys.ts';
import { listGuardsOperation } from '../margins/operations/list-guards.ts';
import { createMerchantOperation } from '../merchants/operations/create-merchant.ts';
import { listMerchantsOperation } from '../merchants/operations/list-merchants.ts';
import {
  resumeMerchantOperation,
  suspendMerchantOperation,
} from '../merchants/operations/suspend-merchant.ts';
import { listDeliveriesOperation } from '../messages/operations/list-deliveries.ts';
import { removeRouteOperation, setRouteOperation } from '../routing/operations/change-route.ts';
import { listRoutesOperation } from '../routing/operations/list-routes.ts';
import { askVendOperation } from '../vending/doubt/operations/ask-vend.ts';
import { settleVendOperation } from '../vending/doubt/operations/settle-vend.ts';
import { addGoodsOperation } from '../vending/goods/operations/add-goods.ts';
import { addOrderGoodsOperation } from '../vending/goods/operations/add-order-goods.ts';
import { retryDeliveryOperation } from '../vending/goods/operations/retry-delivery.ts';
import { revealGoodsOperation } from '../vending/goods/operations/reveal-goods.ts';
import { showVendOperation } from '../vending/history/operations/show-vend.ts';
import { bookProviderRefundOperation } from '../vending/refunds/operations/book-provider-refund.ts';
import { refundVendOperation } from '../vending/refunds/operations/refund-vend.ts';
import { listPendingVendsOperation } from '../vending/search/operations/list-pending-vends.ts';
import { listVendsOperation } from '../vending/search/operations/list-vends.ts';
import { creditWalletOperation } from '../wallet/operations/credit-wallet.ts';
import type { RegisteredOperation } from './run-operation.ts';

export const operations: readonly RegisteredOperation[] = [
  runAuditOperation,
  createMerchantOperation,
  listMerchantsOperation,
  suspendMerchantOperation,
  resumeMerchantOperation,
  creditWalletOperation,
  setGuardOperation,
  listGuardsOperation,
  listVendsOperation,
  listPendingVendsOperation,
  showVendOperation,
  revealGoodsOperation,
  addGoodsOperation,
  addOrderGoodsOperation,
  listDeliveriesOperation,
  retryDeliveryOperation,
  listKeysOperation,
  rotateKeysOperation,
  listRoutesOperation,
  setRouteOperation,
  removeRouteOperation,
  importCatalogOperation,
  exportCatalogOperation,
  syncCatalogOperation,
  listCatalogChangesOperation,
  setFxRateOperation,
  listFxRatesOperation,
  listAlarmsOperation,
  acknowledgeAlarmOperation,
  listAuditLogOperation,
  verifyAuditLogOperation,
  exportAuditLogOperation,
  createTokenOperation,
  listTokensOperation,
  revokeTokenOperation,
  askVendOperation,
  settleVendOperation,
  refundVendOperation,
  bookProviderRefundOperation,
  listApprovalsOperation,
  showApprovalOperation,
  approveOperation,
  rejectOperation,
];

const byName = new Map(operations.map((operation) => [operation.name as string, operation]));

/** Throws OperationError `no_operation`. */
export function operationNamed(name: string): RegisteredOperation {
  const operation = byName.get(name);
  if (operation === undefined) throw new OperationError({ code: 'no_operation', operation: name });
  return operation;
}
