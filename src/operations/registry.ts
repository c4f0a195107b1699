/** All operations. A line here brings one to the command line, the admin API and the documents. */

import { createTokenOperation } from '../access/operations/create-token.ts';
import { listTokensOperation } from '../access/operations/list-tokens.ts';
import { revokeTokenOperation } from '../access/operations/revoke-token.ts';
import { exportAuditLogOperation } from '../audit-log/operations/export-audit-log.ts';
import { listAuditLogOperation } from '../audit-log/operations/list-audit-log.ts';
import { verifyAuditLogOperation } from '../audit-log/operations/verify-audit-log.ts';
import { setGuardOperation } from '../catalog/operations/set-guard.ts';

import { OperationError } from '../kernel/errors.ts';
import { listGuardsOperation } from '../margins/operations/list-guards.ts';
import { createMerchantOperation } from '../merchants/operations/create-merchant.ts';
import { listMerchantsOperation } from '../merchants/operations/list-merchants.ts';
import {
  resumeMerchantOperation,
  suspendMerchantOperation,
} from '../merchants/operations/suspend-merchant.ts';
import { creditWalletOperation } from '../wallet/operations/credit-wallet.ts';
import type { RegisteredOperation } from './run-operation.ts';

export const operations: readonly RegisteredOperation[] = [
  createMerchantOperation,
  listMerchantsOperation,
  suspendMerchantOperation,
  resumeMerchantOperation,
  creditWalletOperation,
  setGuardOperation,
  listGuardsOperation,
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
