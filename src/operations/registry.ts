/** All operations. A line here brings one to the command line, the admin API and the documents. */

import { createTokenOperation } from '../access/operations/create-token.ts';
import { listTokensOperation } from '../access/operations/list-tokens.ts';
import { revokeTokenOperation } from '../access/operations/revoke-token.ts';
import { exportAuditLogOperation } from '../audit-log/operations/export-audit-log.ts';
import { listAuditLogOperation } from '../audit-log/operations/list-audit-log.ts';
import { verifyAuditLogOperation } from '../audit-log/operations/verify-audit-log.ts';
import { setDiscountOperation } from '../catalog/operations/discount-merchant.ts';
import { assignDepositOperation } from '../funding/operations/assign-deposit.ts';
import {
  forgetDocumentsOperation,
  replaceDocumentOperation,
  revealDocumentOperation,
} from '../funding/operations/documents.ts';
import { listDepositsOperation, sumDepositsOperation } from '../funding/operations/list-deposits.ts';
import { payInOperation } from '../funding/operations/pay-in.ts';
import { disableFundingOperation, enableFundingOperation } from '../funding/operations/set-funding.ts';
import { showDepositOperation } from '../funding/operations/show-deposit.ts';
import { showFundingOperation } from '../funding/operations/show-funding.ts';
import { OperationError } from '../kernel/errors.ts';
import { createMerchantOperation } from '../merchants/operations/create-merchant.ts';
import { issueCredentialOperation } from '../merchants/operations/issue-credential.ts';
import { listCredentialsOperation } from '../merchants/operations/list-credentials.ts';
import { listMerchantsOperation } from '../merchants/operations/list-merchants.ts';
import { revokeCredentialOperation } from '../merchants/operations/revoke-credential.ts';
import { rotateCredentialOperation } from '../merchants/operations/rotate-credential.ts';
import { disableProductOperation, enableProductOperation } from '../merchants/operations/set-product.ts';
import {
  resumeMerchantOperation,
  suspendMerchantOperation,
} from '../merchants/operations/suspend-merchant.ts';
import { cancelIssueOperation } from '../vouchers/operations/cancel-issue.ts';
import { cancelVoucherOperation } from '../vouchers/operations/cancel-voucher.ts';
import { issueVouchersOperation } from '../vouchers/operations/issue-vouchers.ts';
import { listVouchersOperation } from '../vouchers/operations/list-vouchers.ts';
import { showVoucherOperation } from '../vouchers/operations/show-voucher.ts';
import { creditWalletOperation } from '../wallet/operations/credit-wallet.ts';
import { listBalancesOperation } from '../wallet/operations/list-balances.ts';
import { listMtnLinesOperation } from '../wallet/operations/list-mtn-lines.ts';
import { openWalletOperation } from '../wallet/operations/open-wallet.ts';
import { setFloorOperation } from '../wallet/operations/set-floor.ts';
import { addMtnLineOperation, removeMtnLineOperation } from '../wallet/operations/set-mtn-line.ts';
import { showMerchantOperation } from '../wallet/operations/show-merchant.ts';
import { showStatementOperation } from '../wallet/operations/show-statement.ts';
import { showWalletsOperation } from '../wallet/operations/show-wallets.ts';
import type { RegisteredOperation } from './run-operation.ts';

export const operations: readonly RegisteredOperation[] = [
  createMerchantOperation,
  listMerchantsOperation,
  showMerchantOperation,
  suspendMerchantOperation,
  resumeMerchantOperation,
  enableProductOperation,
  disableProductOperation,
  setDiscountOperation,
  addMtnLineOperation,
  removeMtnLineOperation,
  listMtnLinesOperation,
  issueCredentialOperation,
  listCredentialsOperation,
  rotateCredentialOperation,
  revokeCredentialOperation,
  showWalletsOperation,
  showStatementOperation,
  openWalletOperation,
  setFloorOperation,
  creditWalletOperation,
  enableFundingOperation,
  disableFundingOperation,
  showFundingOperation,
  revealDocumentOperation,
  replaceDocumentOperation,
  forgetDocumentsOperation,
  listDepositsOperation,
  sumDepositsOperation,
  showDepositOperation,
  assignDepositOperation,
  payInOperation,
  issueVouchersOperation,
  listVouchersOperation,
  showVoucherOperation,
  cancelVoucherOperation,
  cancelIssueOperation,
  listBalancesOperation,
  listAuditLogOperation,
  verifyAuditLogOperation,
  exportAuditLogOperation,
  createTokenOperation,
  listTokensOperation,
  revokeTokenOperation,
];

const byName = new Map(operations.map((operation) => [operation.name as string, operation]));

/** Throws OperationError `no_operation`. */
export function operationNamed(name: string): RegisteredOperation {
  const operation = byName.get(name);
  if (operation === undefined) throw new OperationError({ code: 'no_operation', operation: name });
  return operation;
}
