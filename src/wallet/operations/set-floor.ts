/**
 * Sets the floor of a wallet: a negative floor is a credit line (postpaid), 0 is prepaid, and a
 * positive floor keeps that much back.
 *
 * Guarantees: the floor applies to every purchase that is accepted after the commit, on all
 * gateways, because it is read under the wallet's lock; a balance is never below its floor.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { type Environment, environments } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { type Currency, formatAmount, parseSignedAmount, requireFormatted } from '../../core/money.ts';
import { defineOperation, treasurers } from '../../core/operation.ts';
import {
  amountOutput,
  balanceField,
  currencyField,
  environmentField,
  inputOf,
  merchantField,
  oneOf,
} from '../../core/operation-fields.ts';
import type { Tx } from '../../db/database.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { WalletBalance } from '../balance.ts';
import { requireWallet } from '../require-wallet.ts';
import { lockWallet, updateFloor } from '../wallet-store.ts';

/**
 * `floor` is in minor units. Throws OperationError: `no_merchant`, `merchant_has_no_wallet`, and
 * `floor_above_balance` if it exceeds the balance without holds.
 */
export async function setFloor(
  tx: Tx,
  change: {
    readonly merchantCode: string;
    readonly environment: Environment;
    readonly currency: Currency;
    readonly floor: bigint;
  },
  actor: ActorOrName,
): Promise<{ readonly before: WalletBalance; readonly after: WalletBalance }> {
  const { environment, currency, floor } = change;
  const merchant = await requireMerchant(tx, change.merchantCode);
  const found = await lockWallet(tx, merchant.id, environment, currency);
  const wallet = requireWallet(found, merchant, environment, currency);
  const { posted, held } = wallet;
  if (floor > posted - held) {
    throw new OperationError({ code: 'floor_above_balance', floor, posted, held });
  }
  const before = { posted, held, floor: wallet.floor };
  if (floor !== wallet.floor) {
    await updateFloor(tx, wallet.account_id, floor);
    const described = (amount: bigint) => ({ environment, currency, floor: formatAmount(amount) });
    await recordOperation(tx, {
      actor,
      action: 'wallet.set_floor',
      subject: `merchant:${merchant.code}`,
      before: described(wallet.floor),
      after: described(floor),
    });
  }
  return { before, after: { posted, held, floor } };
}

export const setFloorOperation = defineOperation({
  name: 'wallet.set_floor',
  kind: 'act',
  summary:
    'set the floor of a wallet immediately: below zero is a credit line (postpaid), 0 is prepaid, above zero is a reserve',
  roles: treasurers,
  route: 'PUT /merchants/{merchant}/wallet/floor',
  document: 'operators/merchants.md',
  input: inputOf({
    merchant: merchantField,
    floor: balanceField,
    environment: oneOf(environments, { default: 'live' }),
    currency: currencyField,
  }),
  output: Type.Object({
    merchant: Type.String(),
    environment: environmentField,
    currency: currencyField,
    floor: amountOutput,
    floor_before: amountOutput,
    billing_mode: oneOf(['prepaid', 'postpaid']),
    available: amountOutput,
  }),
  gives: (_, { environment, currency, ...output }) => {
    const down = requireFormatted(output.floor_before) - requireFormatted(output.floor);
    return { environment, currency, amount: down > 0n ? down : 0n };
  },
  run: async ({ tx, actor }: Acting, { merchant, floor: text, environment, currency }) => {
    const floor = parseSignedAmount(text) ?? 0n;
    const change = { merchantCode: merchant, environment, currency, floor };
    const { before, after } = await setFloor(tx, change, actor);
    return {
      merchant,
      environment,
      currency,
      floor: formatAmount(after.floor),
      floor_before: formatAmount(before.floor),
      billing_mode: after.floor < 0n ? ('postpaid' as const) : ('prepaid' as const),
      available: formatAmount(after.posted - after.held - after.floor),
    };
  },
});
