/** For tests whose providers can be queried about every order. */
import type { BalanceEvidence } from '../../src/purchases/evidence/balance-evidence.ts';

export const noBalances: BalanceEvidence = {
  note: () => Promise.reject(new Error('no balance is told here')),
  judge: () => Promise.reject(new Error('no balance decides here')),
};
