/** Shows the wallets of a merchant: what each has, holds, and may spend. */
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { inputOf, merchantField, pageFields, pageOf } from '../../kernel/operation-fields.ts';
import { pageOfWhole } from '../../kernel/page.ts';
import { findByCode } from '../../merchants/find-by-code.ts';
import { walletAnswer, walletOutput } from '../wallet-answer.ts';
import { listWallets } from '../wallet-store.ts';

export const showWalletsOperation = defineOperation({
  name: 'wallet.show',
  kind: 'question',
  summary: "show a merchant's wallets",
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  route: 'GET /merchants/{merchant}/wallets',
  document: 'operators/cli.md',
  input: inputOf({ merchant: merchantField, ...pageFields }),
  output: pageOf(walletOutput),
  run: async ({ sql }: Asking, { merchant: code, limit = 50, cursor }) => {
    const merchant = await findByCode(sql, code);
    const wallets = (await listWallets(sql, merchant.id)).map(walletAnswer);
    return pageOfWhole(wallets, { limit, cursor }, (row) => `${row.environment}:${row.currency}`);
  },
});
