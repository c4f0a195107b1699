/** All operations. The command line, the admin API and the documents are made from this list. */

import { runAuditOperation } from '../../audit/operations/run-audit.ts';
import { discountOperations } from '../../catalog/operations/discount-merchant.ts';
import { exportCatalogOperation } from '../../catalog/operations/export-catalog.ts';
import { listGuardsOperation, setGuardOperation } from '../../catalog/operations/guards.ts';
import { importCatalogOperation } from '../../catalog/operations/import-catalog.ts';
import { listCatalogChangesOperation } from '../../catalog/operations/list-catalog-changes.ts';
import { listFxRatesOperation } from '../../catalog/operations/list-fx-rates.ts';
import { listPlansOperation } from '../../catalog/operations/list-plans.ts';
import { priceRuleOperations } from '../../catalog/operations/price-rules.ts';
import { setFxRateOperation } from '../../catalog/operations/set-fx-rate.ts';
import { syncCatalogOperation } from '../../catalog/operations/sync-catalog.ts';
import { syncRuleOperations } from '../../catalog/operations/sync-rules.ts';
import { priceListOperations } from '../../catalog/price-lists/operations/price-list-operations.ts';
import { removeRouteOperation, setRouteOperation } from '../../catalog/routes/operations/change-route.ts';
import { listRoutesOperation } from '../../catalog/routes/operations/list-routes.ts';
import {
  pauseProviderOperation,
  resumeProviderOperation,
} from '../../catalog/routes/operations/pause-provider.ts';
import { OperationError } from '../../core/errors.ts';
import type { Role } from '../../core/operation.ts';
import { chargeFloatOperation, topUpFloatOperation } from '../../finance/floats/operations/book-float.ts';
import { listFloatsOperation, showFloatOperation } from '../../finance/floats/operations/list-floats.ts';
import { setFloatAlarmOperation } from '../../finance/floats/operations/set-alarm.ts';
import { dismissFindingOperation } from '../../finance/reconciliation/operations/dismiss-finding.ts';
import { enterFindingOperation } from '../../finance/reconciliation/operations/enter-finding.ts';
import { listFindingsOperation } from '../../finance/reconciliation/operations/list-findings.ts';
import {
  listReconciliationsOperation,
  showMappingOperation,
  showReconciliationOperation,
} from '../../finance/reconciliation/operations/list-reconciliations.ts';
import { runReconciliationOperation } from '../../finance/reconciliation/operations/run-reconciliation.ts';
import { balanceBooksOperation } from '../../finance/reports/operations/balance-books.ts';
import { closeDayOperation } from '../../finance/reports/operations/close-day.ts';
import { exportBooksOperation } from '../../finance/reports/operations/export-books.ts';
import { listDaysOperation } from '../../finance/reports/operations/list-days.ts';
import { showDayOperation } from '../../finance/reports/operations/show-day.ts';
import { showDaySalesOperation } from '../../finance/reports/operations/show-day-sales.ts';
import { showReportOperation } from '../../finance/reports/operations/show-report.ts';
import { showSuccessOperation } from '../../finance/reports/operations/show-success.ts';
import { assignDepositOperation } from '../../funding/operations/assign-deposit.ts';
import {
  forgetDocumentsOperation,
  replaceDocumentOperation,
  revealDocumentOperation,
} from '../../funding/operations/documents.ts';
import {
  listDepositsOperation,
  showDepositOperation,
  sumDepositsOperation,
} from '../../funding/operations/list-deposits.ts';
import { listOwnDepositsOperation } from '../../funding/operations/list-own-deposits.ts';
import { openFundingOperation } from '../../funding/operations/open-funding.ts';
import { disableFundingOperation, enableFundingOperation } from '../../funding/operations/set-funding.ts';
import { showFundingOperation } from '../../funding/operations/show-funding.ts';
import { showOwnFundingOperation } from '../../funding/operations/show-own-funding.ts';
import { tryDepositOperation } from '../../funding/operations/try-deposit.ts';
import {
  confirmCredentialsOperation,
  listUnconfirmedOperation,
} from '../../merchants/operations/confirm-credentials.ts';
import { issueCredentialOperation } from '../../merchants/operations/issue-credential.ts';
import { recipientOperations } from '../../merchants/operations/recipients.ts';
import {
  listCredentialsOperation,
  revokeCredentialOperation,
} from '../../merchants/operations/revoke-credential.ts';
import { rotateCredentialOperation } from '../../merchants/operations/rotate-credential.ts';
import { setCapsOperation } from '../../merchants/operations/set-caps.ts';
import { disableProductOperation, enableProductOperation } from '../../merchants/operations/set-product.ts';
import { shopOperations } from '../../merchants/operations/set-shop.ts';
import { suspensionOperations } from '../../merchants/operations/suspend-merchant.ts';
import {
  acknowledgeAlarmOperation,
  listAlarmsOperation,
} from '../../notifications/alarms/operations/list-alarms.ts';
import { listDeliveriesOperation } from '../../notifications/messages/operations/list-deliveries.ts';
import {
  changeEndpointOperation,
  createEndpointOperation,
  deleteEndpointOperation,
  rotateEndpointOperation,
} from '../../notifications/webhooks/operations/change-endpoint.ts';
import {
  listEndpointsOperation,
  listWebhookDeliveriesOperation,
  showEndpointOperation,
} from '../../notifications/webhooks/operations/list-endpoints.ts';
import {
  replayDeliveryOperation,
  replayEndpointOperation,
  testEndpointOperation,
} from '../../notifications/webhooks/operations/replay-endpoint.ts';
import {
  disableEndpointOperation,
  enableEndpointOperation,
} from '../../notifications/webhooks/operations/set-endpoint-state.ts';
import { addProviderOperation } from '../../operate/accounts/operations/add-provider.ts';
import { removeProviderOperation } from '../../operate/accounts/operations/remove-provider.ts';
import { renameProviderOperation } from '../../operate/accounts/operations/rename-provider.ts';
import { recordBackupOperation } from '../../operate/backup/operations/record-backup.ts';
import { listKeysOperation } from '../../operate/keys/operations/list-keys.ts';
import { rotateKeysOperation } from '../../operate/keys/operations/rotate-keys.ts';
import {
  restoreProviderCredentialsOperation,
  setProviderCredentialsOperation,
} from '../../operate/keys/operations/set-provider-credentials.ts';
import { removeRestoreLockOperation } from '../../operate/restore-lock/operations/remove-restore-lock.ts';
import { setRestoreLockOperation } from '../../operate/restore-lock/operations/set-restore-lock.ts';
import { showRestoreLockOperation } from '../../operate/restore-lock/operations/show-restore-lock.ts';
import { erasePersonOperation } from '../../operate/retention/operations/erase-person.ts';
import { exportPersonOperation } from '../../operate/retention/operations/export-person.ts';
import { approveOperation, rejectOperation } from '../../oversight/approvals/operations/decide-approval.ts';
import {
  countApprovalsOperation,
  listApprovalsOperation,
  showApprovalOperation,
} from '../../oversight/approvals/operations/list-approvals.ts';
import { exportAuditLogOperation } from '../../oversight/log/operations/export-audit-log.ts';
import { listAuditLogOperation } from '../../oversight/log/operations/list-audit-log.ts';
import { verifyAuditLogOperation } from '../../oversight/log/operations/verify-audit-log.ts';
import { batchChangeOperations } from '../../purchases/batches/operations/change-batch.ts';
import { createBatchOperation } from '../../purchases/batches/operations/create-batch.ts';
import {
  listBatchesOperation,
  listBatchRowsOperation,
  showBatchOperation,
} from '../../purchases/batches/operations/list-batches.ts';
import { counterOperations } from '../../purchases/create/operations/buy-purchase.ts';
import { tryMerchantPurchaseOperation } from '../../purchases/create/operations/try-merchant-purchase.ts';
import { addGoodsOperation } from '../../purchases/goods/operations/add-goods.ts';
import { addOrderGoodsOperation } from '../../purchases/goods/operations/add-order-goods.ts';
import { retryDeliveryOperation } from '../../purchases/goods/operations/retry-delivery.ts';
import { revealGoodsOperation } from '../../purchases/goods/operations/reveal-goods.ts';
import { revealMerchantPurchaseOperation } from '../../purchases/goods/operations/reveal-merchant-purchase.ts';
import {
  listProvidersOperation,
  showProviderOperation,
} from '../../purchases/health/operations/list-providers.ts';
import { testProviderOperation } from '../../purchases/health/operations/test-provider.ts';
import { countWorkOperation } from '../../purchases/history/operations/count-work.ts';
import { listPurchaseWebhooksOperation } from '../../purchases/history/operations/list-purchase-webhooks.ts';
import { showComplaintOperation } from '../../purchases/history/operations/show-complaint.ts';
import { showMerchantPurchaseOperation } from '../../purchases/history/operations/show-merchant-purchase.ts';
import { showPurchaseOperation } from '../../purchases/history/operations/show-purchase.ts';
import { receiptLinkOperations } from '../../purchases/receipts/operations/receipt-links.ts';
import { sendReceiptOperation } from '../../purchases/receipts/operations/send-receipt.ts';
import {
  bookProviderRefundOperation,
  refundPurchaseOperation,
} from '../../purchases/refunds/operations/refund-purchase.ts';
import { listMerchantPurchasesOperation } from '../../purchases/search/operations/list-merchant-purchases.ts';
import { listPendingPurchasesOperation } from '../../purchases/search/operations/list-pending-purchases.ts';
import { listPurchasesOperation } from '../../purchases/search/operations/list-purchases.ts';
import { queryPurchaseOperation } from '../../purchases/unresolved/operations/query-purchase.ts';
import { settlePurchaseOperation } from '../../purchases/unresolved/operations/settle-purchase.ts';
import { createMerchantOperation } from '../../wallet/operations/create-merchant.ts';
import { creditWalletOperation } from '../../wallet/operations/credit-wallet.ts';
import { listMerchantsOperation } from '../../wallet/operations/list-merchants.ts';
import { openWalletOperation } from '../../wallet/operations/open-wallet.ts';
import { alertOperations } from '../../wallet/operations/set-alert.ts';
import { setFloorOperation } from '../../wallet/operations/set-floor.ts';
import {
  addMtnLineOperation,
  listMtnLinesOperation,
  removeMtnLineOperation,
} from '../../wallet/operations/set-mtn-line.ts';
import { showMerchantOperation, showWalletsOperation } from '../../wallet/operations/show-merchant.ts';
import { listEntriesOperation, showStatementOperation } from '../../wallet/operations/show-statement.ts';
import {
  cancelIssueOperation,
  cancelVoucherOperation,
} from '../../wallet/vouchers/operations/cancel-voucher.ts';
import { issueVouchersOperation } from '../../wallet/vouchers/operations/issue-vouchers.ts';
import {
  listVouchersOperation,
  showVoucherOperation,
} from '../../wallet/vouchers/operations/show-voucher.ts';
import { createTokenOperation } from '../access/operations/create-token.ts';
import { listTokensOperation, revokeTokenOperation } from '../access/operations/list-tokens.ts';
import { listTasksOperation, showTaskOperation } from '../tasks/operations/list-tasks.ts';
import { inviteToTeamOperation, inviteUserOperation } from '../users/operations/invite-user.ts';
import { listTeamOperation, listUsersOperation, showUserOperation } from '../users/operations/list-users.ts';
import { resetMemberOperation, resetUserOperation } from '../users/operations/reset-user.ts';
import {
  endSessionsOperation,
  endTeamSessionsOperation,
  listSessionsOperation,
  listTeamSessionsOperation,
} from '../users/operations/sessions.ts';
import { setTeamRolesOperation, setUserRolesOperation } from '../users/operations/set-user-roles.ts';
import {
  resumeMemberOperation,
  resumeUserOperation,
  suspendMemberOperation,
  suspendUserOperation,
} from '../users/operations/suspend-user.ts';
import { showWebhookDeliveryOperation } from '../webhooks/operations/show-delivery.ts';
import type { RegisteredOperation } from './run-operation.ts';

const registered = [
  runAuditOperation,
  createMerchantOperation,
  listMerchantsOperation,
  showMerchantOperation,
  ...suspensionOperations,
  enableProductOperation,
  disableProductOperation,
  ...discountOperations,
  ...priceListOperations,
  addMtnLineOperation,
  removeMtnLineOperation,
  listMtnLinesOperation,
  issueCredentialOperation,
  listCredentialsOperation,
  setCapsOperation,
  rotateCredentialOperation,
  revokeCredentialOperation,
  listUnconfirmedOperation,
  confirmCredentialsOperation,
  showWalletsOperation,
  showStatementOperation,
  listEntriesOperation,
  openWalletOperation,
  setFloorOperation,
  ...alertOperations,
  creditWalletOperation,
  setGuardOperation,
  ...priceRuleOperations,
  ...syncRuleOperations,
  listGuardsOperation,
  enableFundingOperation,
  disableFundingOperation,
  showFundingOperation,
  showOwnFundingOperation,
  openFundingOperation,
  revealDocumentOperation,
  replaceDocumentOperation,
  forgetDocumentsOperation,
  listDepositsOperation,
  sumDepositsOperation,
  showDepositOperation,
  listOwnDepositsOperation,
  assignDepositOperation,
  issueVouchersOperation,
  listVouchersOperation,
  showVoucherOperation,
  cancelVoucherOperation,
  cancelIssueOperation,
  showReportOperation,
  closeDayOperation,
  listDaysOperation,
  showDayOperation,
  showDaySalesOperation,
  exportBooksOperation,
  balanceBooksOperation,
  listFloatsOperation,
  showFloatOperation,
  topUpFloatOperation,
  chargeFloatOperation,
  setFloatAlarmOperation,
  runReconciliationOperation,
  listFindingsOperation,
  enterFindingOperation,
  dismissFindingOperation,
  listReconciliationsOperation,
  showReconciliationOperation,
  showMappingOperation,
  countWorkOperation,
  listPurchasesOperation,
  listPendingPurchasesOperation,
  listProvidersOperation,
  showProviderOperation,
  addProviderOperation,
  renameProviderOperation,
  removeProviderOperation,
  showSuccessOperation,
  pauseProviderOperation,
  resumeProviderOperation,
  setProviderCredentialsOperation,
  restoreProviderCredentialsOperation,
  testProviderOperation,
  showPurchaseOperation,
  listPurchaseWebhooksOperation,
  revealGoodsOperation,
  addGoodsOperation,
  addOrderGoodsOperation,
  listMerchantPurchasesOperation,
  showMerchantPurchaseOperation,
  showComplaintOperation,
  revealMerchantPurchaseOperation,
  tryMerchantPurchaseOperation,
  ...counterOperations,
  ...receiptLinkOperations,
  sendReceiptOperation,
  ...shopOperations,
  ...recipientOperations,
  listBatchesOperation,
  showBatchOperation,
  listBatchRowsOperation,
  createBatchOperation,
  ...batchChangeOperations,
  tryDepositOperation,
  listDeliveriesOperation,
  retryDeliveryOperation,
  listEndpointsOperation,
  showEndpointOperation,
  listWebhookDeliveriesOperation,
  showWebhookDeliveryOperation,
  disableEndpointOperation,
  enableEndpointOperation,
  rotateEndpointOperation,
  replayEndpointOperation,
  replayDeliveryOperation,
  testEndpointOperation,
  createEndpointOperation,
  changeEndpointOperation,
  deleteEndpointOperation,
  listKeysOperation,
  rotateKeysOperation,
  listRoutesOperation,
  setRouteOperation,
  removeRouteOperation,
  importCatalogOperation,
  exportCatalogOperation,
  listPlansOperation,
  syncCatalogOperation,
  listCatalogChangesOperation,
  setFxRateOperation,
  listFxRatesOperation,
  listAlarmsOperation,
  acknowledgeAlarmOperation,
  listAuditLogOperation,
  verifyAuditLogOperation,
  exportAuditLogOperation,
  recordBackupOperation,
  showRestoreLockOperation,
  setRestoreLockOperation,
  removeRestoreLockOperation,
  createTokenOperation,
  listTokensOperation,
  revokeTokenOperation,
  inviteUserOperation,
  listUsersOperation,
  showUserOperation,
  setUserRolesOperation,
  suspendUserOperation,
  resumeUserOperation,
  resetUserOperation,
  listSessionsOperation,
  endSessionsOperation,
  inviteToTeamOperation,
  listTeamOperation,
  setTeamRolesOperation,
  suspendMemberOperation,
  resumeMemberOperation,
  resetMemberOperation,
  listTeamSessionsOperation,
  endTeamSessionsOperation,
  exportPersonOperation,
  erasePersonOperation,
  queryPurchaseOperation,
  settlePurchaseOperation,
  refundPurchaseOperation,
  bookProviderRefundOperation,
  listApprovalsOperation,
  countApprovalsOperation,
  showApprovalOperation,
  listTasksOperation,
  showTaskOperation,
  approveOperation,
  rejectOperation,
] as const satisfies readonly RegisteredOperation[];

export const operations: readonly RegisteredOperation[] = registered;

/** Each operation by name, with its types. */
export type OperationTable = {
  readonly [Registered in (typeof registered)[number] as Registered['name']]: Registered;
};

const byName = new Map(operations.map((operation) => [operation.name as string, operation]));

/** Throws OperationError `no_operation`. */
export function operationNamed(name: string): RegisteredOperation {
  const operation = byName.get(name);
  if (operation === undefined) throw new OperationError({ code: 'no_operation', operation: name });
  return operation;
}

/** Returns the roles that may run an operation, or none if it no longer exists. */
export function rolesOf(name: string): readonly Role[] {
  return byName.get(name)?.roles ?? [];
}
