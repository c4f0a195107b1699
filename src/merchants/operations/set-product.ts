/** Enables or disables a product for a merchant. */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { type Environment, eachEnvironment } from '../../core/environment.ts';
import { admins, defineOperation } from '../../core/operation.ts';
import {
  changedEnvironments,
  environmentsField,
  inputOf,
  merchantField,
  oneOf,
} from '../../core/operation-fields.ts';
import { type ProductName, productNames } from '../../core/products/product.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { deleteMerchantProduct, insertMerchantProduct } from '../merchant-store.ts';
import { requireMerchant } from '../require-merchant.ts';

/** Throws OperationError `no_merchant`. `changed` is false if it already was in that state. */
export async function setProduct(
  tx: Tx,
  change: {
    readonly merchantCode: string;
    readonly environment: Environment;
    readonly product: ProductName;
    readonly enabled: boolean;
  },
  actor: ActorOrName,
): Promise<{ readonly changed: boolean }> {
  const { environment, product, enabled } = change;
  const merchant = await requireMerchant(tx, change.merchantCode);
  const changed = enabled
    ? await insertMerchantProduct(tx, merchant.id, environment, product)
    : await deleteMerchantProduct(tx, merchant.id, environment, product);
  if (changed) {
    await recordOperation(tx, {
      actor,
      action: enabled ? 'merchant.enable_product' : 'merchant.disable_product',
      subject: `merchant:${merchant.code}`,
      before: { environment, product, enabled: !enabled },
      after: { environment, product, enabled },
    });
    await announceChange(tx, 'merchants');
  }
  return { changed };
}

function productSwitch(enabled: boolean) {
  const verb = enabled ? ('enable' as const) : ('disable' as const);
  return defineOperation({
    name: `merchant.${verb}_product`,
    kind: 'act',
    summary: `${verb} a product for a merchant, immediately`,
    roles: admins,
    route: `POST /merchants/{merchant}/products/{product}/${verb}`,
    document: 'operators/merchants.md',
    input: inputOf({
      merchant: merchantField,
      product: oneOf(productNames),
      environment: environmentsField,
    }),
    output: Type.Object({
      merchant: Type.String(),
      product: Type.String(),
      enabled: Type.Boolean(),
      environments: changedEnvironments,
    }),
    run: async ({ tx, actor }: Acting, { merchant: merchantCode, product, environment }) => {
      const done = await eachEnvironment(environment, (one) =>
        setProduct(tx, { merchantCode, environment: one, product, enabled }, actor),
      );
      return { merchant: merchantCode, product, enabled, environments: done };
    },
  });
}

export const enableProductOperation = productSwitch(true);
export const disableProductOperation = productSwitch(false);
