/** Converts a body that the schema accepts to the purchase that it requests. */
import { invariant } from '../../../../core/errors.ts';
import { parseAmount } from '../../../../core/money.ts';
import { billRecipient } from '../../../../core/products/bill-recipient.ts';
import { parseMobileNumber } from '../../../../core/products/mobile-number.ts';
import { parseMobileNetwork } from '../../../../core/products/network.ts';
import { isBillProduct, type Product } from '../../../../core/products/product.ts';
import { recordOf } from '../../../../core/products/registry.ts';
import type { Principal } from '../../../../merchants/merchant.ts';
import type { PurchaseRequest } from '../../../../purchases/state/purchase.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import { readBillNetwork } from '../../../plumbing/bill-network.ts';
import type { PurchaseBody } from './schema.ts';

/** Throws a Refusal for a network of bills that the catalog does not have. */
export function toPurchaseRequest(
  { catalog }: Pick<ServerDependencies, 'catalog'>,
  principal: Principal,
  body: Omit<PurchaseBody, 'product'>,
  product: Product,
): PurchaseRequest {
  const bill = isBillProduct(product);
  const hasPlans = recordOf(product).plans !== 'none';
  const network = bill ? readBillNetwork(catalog, product, body.network) : parseMobileNetwork(body.network);
  const recipient =
    bill && network !== undefined
      ? billRecipient(product, network, body.msisdn)
      : parseMobileNumber(body.msisdn);
  const faceValue = parseAmount(body.amount);
  invariant(
    network !== undefined && recipient !== undefined && faceValue !== undefined,
    'the schema accepts only what the core can read',
  );
  return {
    principal,
    reference: body.request_ref,
    product,
    network,
    planCode: hasPlans ? body.plan_code : undefined,
    planKind: hasPlans ? undefined : body.kind,
    msisdn: body.msisdn,
    recipient,
    faceValue,
    phone: bill ? body.phone : undefined,
  };
}
