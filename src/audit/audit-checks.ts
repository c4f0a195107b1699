/** All checks of the audit. */

import { batchChecks } from './audit-batch-store.ts';
import { chainChecks } from './audit-chain-check-store.ts';
import { closedDayChecks } from './audit-closed-day-store.ts';
import { depositChecks } from './audit-deposit-store.ts';
import { goodsChecks } from './audit-goods-store.ts';
import { moneyChecks } from './audit-money-store.ts';
import { pathChecks } from './audit-path-store.ts';
import { priceChecks } from './audit-price-store.ts';
import { capChecks, refundChecks } from './audit-refund-store.ts';
import { statementChecks } from './audit-statement-store.ts';
import type { AuditCheck } from './audit-store.ts';
import { floatChecks, voucherChecks } from './audit-voucher-store.ts';

export const allChecks: readonly AuditCheck[] = [
  ...moneyChecks,
  ...depositChecks,
  ...voucherChecks,
  ...refundChecks,
  ...capChecks,
  ...floatChecks,
  ...statementChecks,
  ...pathChecks,
  ...priceChecks,
  ...goodsChecks,
  ...batchChecks,
  ...chainChecks,
  ...closedDayChecks,
];

export function checksOver(over: AuditCheck['over']): AuditCheck[] {
  return allChecks.filter((check) => check.over === over);
}
