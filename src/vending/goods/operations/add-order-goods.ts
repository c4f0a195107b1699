/**
 * Settles an order, or another purchase whose goods are kept sealed, with the goods that a
 * provider's support told the operator: they are sealed, shown to the merchant, and sent to the
 * customer where the order asks for it. A pending one becomes a success, and its money is posted.
 *
 * It takes effect as any answer does, through resolve. So it happens once, whatever the provider
 * says at the same moment, and the first goods stand.
 */
import { recordOperation } from '../../../audit-log/audit-log-store.ts';
import type { Tx } from '../../../db/database.ts';
import { invariant, OperationError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Sealer } from '../../../kernel/sealing.ts';
import { ensureAccount } from '../../../ledger/account-store.ts';
import { floatAccount, revenueAccount, vouchersAccount } from '../../../ledger/chart-of-accounts.ts';
import { isSealed } from '../../../products/registry.ts';
import { commitVends } from '../../path/commit-store.ts';
import { deliveredEffect } from '../../path/resolve-vend.ts';
import { readGoods } from '../read-goods.ts';
import { lockVendToSettle, type VendKey, type VendToSettle } from '../settle-store.ts';

/**
 * `typed` is what the operator's file says. Gives the names of what it brought, and whether the
 * vend was pending until now. Throws OperationError where the vend takes no goods, or not these.
 */
export async function addOrderGoods(
  tx: Tx,
  sealer: Pick<Sealer, 'seal'>,
  vend: VendKey,
  typed: unknown,
  actor: string,
): Promise<{ readonly brought: readonly string[]; readonly wasPending: boolean }> {
  const found = await lockVendToSettle(tx, vend);
  if (found === undefined) throw new OperationError({ code: 'no_purchase', purchase: vend.vendId });
  const { attempt, provider } = judge(found);
  const details = found.details ?? undefined;
  const wanted = details?.goodsOwed;
  invariant(wanted !== undefined && wanted !== 'token', 'what is sealed is owed by its own name');
  const quantity = details?.item?.quantity ?? 1;
  const goods = readGoods(typed, wanted, quantity);
  if (goods === undefined) throw new OperationError({ code: 'goods_malformed', wanted, quantity });
  const { environment } = vend;
  const delivered = {
    vendId: vend.vendId,
    environment,
    walletId: found.wallet_id,
    product: found.product,
    faceValue: found.face_value,
    charge: found.charge,
    details,
    attempt: { provider },
  };
  const effect = deliveredEffect(
    { sealer, houseAccounts: await houseAccountsOf(tx, vend, provider) },
    delivered,
    { goods },
  );
  const answer = {
    kind: 'success',
    code: 'operator',
    message: 'settled with the goods that its support named',
    provider,
    providerId: undefined,
    latencyMs: 0,
  };
  const { resolves } = await commitVends(
    tx,
    {
      accepts: [],
      resolves: [
        {
          ...vend,
          walletId: found.wallet_id,
          network: found.network,
          attempt,
          source: 'operator',
          answer,
          effect,
        },
      ],
    },
    // Whose the accepted would be: there are none.
    newId(),
  );
  const verdict = resolves[0]?.kind;
  const wasPending = found.status === null;
  invariant(verdict === (wasPending ? 'done' : 'repeat'), 'nobody settles a vend beside its wallet lock');
  const brought = Object.keys(goods);
  await recordOperation(tx, {
    actor,
    action: 'order.goods',
    subject: `vend:${vend.vendId}`,
    before: { status: found.status ?? 'pending' },
    // What they are belongs to the customer: which ones came is enough here.
    after: { status: 'success', brought },
  });
  return { brought, wasPending };
}

/** The attempt that is taken to have delivered. */
function judge(found: VendToSettle): { readonly attempt: number; readonly provider: string } {
  if (!isSealed(found.product)) throw new OperationError({ code: 'goods_not_sealed' });
  if (found.status === 'failed') throw new OperationError({ code: 'order_failed_finally' });
  if (found.status === 'success' && !found.owes) throw new OperationError({ code: 'goods_there' });
  const { attempt, provider, step } = found;
  if (attempt === null || provider === null || step === 'send') {
    throw new OperationError({ code: 'order_not_sent' });
  }
  return { attempt, provider };
}

async function houseAccountsOf(tx: Tx, { environment }: VendKey, provider: string) {
  const float = await ensureAccount(tx, floatAccount(provider, environment, 'NGN'));
  const revenue = await ensureAccount(tx, revenueAccount(environment, 'NGN'));
  const vouchers = await ensureAccount(tx, vouchersAccount(environment, 'NGN'));
  return { float: () => float, revenue: () => revenue, vouchers: () => vouchers };
}
