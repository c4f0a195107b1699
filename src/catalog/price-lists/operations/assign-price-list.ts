/** Assigns merchants to a price list, and removes them from theirs. */
import { Type } from 'typebox';
import type { ActorOrName } from '../../../core/actor.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import {
  forcedOutput,
  forceField,
  giftOfForced,
  inputOf,
  merchantField,
} from '../../../core/operation-fields.ts';
import { announceChange } from '../../../db/change-notice-store.ts';
import type { Tx } from '../../../db/database.ts';
import type { MerchantRow } from '../../../merchants/merchant-store.ts';
import {
  listHeldRules,
  listRules,
  listUsedVersions,
  ownList,
  updatePriceList,
} from '../../../merchants/prices/price-list-store.ts';
import { indexRules, type PriceRules } from '../../../merchants/prices/price-rule.ts';
import { requireMerchant } from '../../../merchants/require-merchant.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { type RuleChange, refuseRules, unlessForced } from '../../margins/refuse-losses.ts';
import { listField } from '../price-list-answer.ts';
import { requireList } from './change-price-list.ts';

const merchantsField = Type.Array(merchantField, {
  description: 'the codes of merchants',
  minItems: 1,
  maxItems: 100,
});

const assignPriceListOperation = defineOperation({
  name: 'price_list.assign',
  kind: 'act',
  summary: 'let merchants pay by a price list, in place of their own discounts or another list',
  roles: treasurers,
  route: 'POST /price-lists/{list}/merchants',
  document: 'operators/merchants.md',
  input: inputOf({ list: listField, merchants: merchantsField, force: forceField }),
  output: Type.Object({
    list: Type.String(),
    /** Those that were not on it before. */
    changed: Type.Array(Type.String()),
    forced: forcedOutput,
  }),
  gives: (_, output) => giftOfForced(output),
  run: async ({ tx, actor }: Acting, { list, merchants, force = false }) => {
    const rows = await lockMerchants(tx, merchants);
    await requireList(tx, list);
    return { list, ...(await assign(tx, rows, list, { actor, force })) };
  },
});

const removeMerchantsOperation = defineOperation({
  name: 'price_list.remove_merchants',
  kind: 'act',
  summary: 'remove merchants from their price list; their own discounts count again',
  roles: treasurers,
  route: 'POST /price-lists/remove-merchants',
  document: 'operators/merchants.md',
  input: inputOf({ merchants: merchantsField, force: forceField }),
  output: Type.Object({
    /** Those that were on a list. */
    changed: Type.Array(Type.String()),
    forced: forcedOutput,
  }),
  gives: (_, output) => giftOfForced(output),
  run: async ({ tx, actor }: Acting, { merchants, force = false }) => {
    const rows = await lockMerchants(tx, merchants);
    return await assign(tx, rows, null, { actor, force });
  },
});

/** Locks merchants in the order of their codes. Throws OperationError `no_merchant`. */
async function lockMerchants(tx: Tx, codes: readonly string[]): Promise<MerchantRow[]> {
  const rows = new Map<number, MerchantRow>();
  for (const code of [...codes].sort()) {
    const row = await requireMerchant(tx, code);
    rows.set(row.id, row);
  }
  return [...rows.values()];
}

async function assign(
  tx: Tx,
  merchants: readonly MerchantRow[],
  list: string | null,
  { actor, force }: { readonly actor: ActorOrName; readonly force: boolean },
): Promise<{ readonly changed: string[]; readonly forced: boolean }> {
  const moved = merchants.filter((merchant) => merchant.price_list !== list);
  if (moved.length === 0) return { changed: [], forced: false };
  const changes: RuleChange[] = [];
  for (const { code, price_list: old } of moved) {
    const before = indexRules(await listHeldRules(tx, old ?? ownList(code)));
    for (const after of await usedRules(tx, list ?? ownList(code))) {
      changes.push({ buyer: code, before, after });
    }
  }
  const forced = await unlessForced(force, () => refuseRules(tx, changes));
  for (const { id, code, price_list: old } of moved) {
    await updatePriceList(tx, id, list);
    await recordOperation(tx, {
      actor,
      action: list === null ? 'price_list.remove_merchants' : 'price_list.assign',
      subject: `merchant:${code}`,
      before: { price_list: old },
      after: { price_list: list, ...(force && { force }) },
    });
  }
  await announceChange(tx, 'merchants');
  return { changed: moved.map(({ code }) => code), forced };
}

/** Returns the rules of each version that applies now or begins later. */
async function usedRules(tx: Tx, list: string): Promise<PriceRules[]> {
  const all: PriceRules[] = [];
  for (const version of await listUsedVersions(tx, list)) {
    all.push(indexRules(await listRules(tx, [{ list, version }])));
  }
  return all;
}

export const assignPriceListOperations = [assignPriceListOperation, removeMerchantsOperation] as const;
