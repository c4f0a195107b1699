/**
 * Validates and prices an order of a gift card or an eSIM, as `price-request.ts` does for other
 * purchases. The price is the current quote. Everything that the provider call needs is stored with
 * it, so a later change of catalog or rate changes nothing. Throws every error found.
 */
import type { Catalog } from '../../catalog/catalog.ts';
import { priceEsim } from '../../catalog/esim-plan.ts';
import { type FxRate, formatRate, type GoodsPrice, requireRate } from '../../catalog/fx-rate.ts';
import { priceGiftCard } from '../../catalog/gift-card-plan.ts';
import type { Guards } from '../../catalog/margins/guards.ts';
import { type Router, requireRoute } from '../../catalog/routes/require-route.ts';
import { GatewayError } from '../../core/errors.ts';
import { esim } from '../../core/products/esim.ts';
import { recordOf } from '../../core/products/registry.ts';
import { storyOfReference } from '../../core/products/test-stories.ts';
import { requireEnabled } from '../../merchants/require-enabled.ts';
import type { DeliveryChannel } from '../../notifications/messages/destination.ts';
import { chooseRoute } from '../create/choose-route.ts';
import { requireGain } from '../create/price-request.ts';
import type { PricedRequest } from '../engine/accept-purchase.ts';
import { requireCardValue } from './check-availability.ts';
import type { OrderRequest } from './order.ts';

export type OrderJudge = Router & {
  readonly catalog: Pick<Catalog, 'fxRate'>;
  readonly guards: Guards;
  /** The channels by which live orders can be sent to customers. */
  readonly liveChannels: readonly DeliveryChannel[];
};

type OrderTerms = {
  readonly quantity: number;
  /** In minor units of the plan's currency. */
  readonly unitPrice: bigint;
  readonly price: GoodsPrice;
};

/** `charge` and face value are the quote times the quantity. No discount applies. */
export function priceOrder(judge: OrderJudge, order: OrderRequest): PricedRequest {
  const { principal, product, plan } = order;
  requireEnabled(principal, product);
  requireChannel(judge, order);
  const rate = requireRate(judge.catalog, plan.currency);
  const { quantity, unitPrice, price } = termsOf(order, rate);
  const walletId = principal.merchant.wallets.get('NGN');
  if (walletId === undefined) {
    throw new GatewayError({ code: 'no_wallet_to_pay', currency: 'NGN' });
  }
  const route = requireRoute(judge, {
    principal,
    product,
    network: product,
    planCodes: plan.providerCodes,
    reference: order.reference,
  });
  const charge = price.ngnPrice * BigInt(quantity);
  const planCode = String(plan.planId);
  const judged: PricedRequest = {
    request: {
      principal,
      reference: order.reference,
      product,
      network: product,
      planCode,
      msisdn: '',
      recipient: '',
      faceValue: charge,
      phone: undefined,
    },
    walletId,
    charge,
    planCode,
    details: {
      planCodes: plan.providerCodes,
      goodsOwed: recordOf(product).owes.goods,
      item: { quantity, unitPrice: String(unitPrice), currency: plan.currency },
      title: plan.title,
      cost: String(price.ngnCost * BigInt(quantity)),
      rate: formatRate(rate.rateMicro),
      ...storyIn(order),
    },
    billAmount: undefined,
    route,
  };
  const isFixed = product === esim.name;
  return chooseRoute(judge, requireGain(judge.guards, judged, isFixed), isFixed);
}

/** For a test order: the scenario that its reference names. */
function storyIn({ principal, product, reference }: OrderRequest): { readonly story?: string } {
  const story = principal.environment === 'test' ? storyOfReference(product, reference) : undefined;
  return story === undefined ? {} : { story };
}

function termsOf(order: OrderRequest, rate: FxRate): OrderTerms {
  if (order.product === esim.name) {
    return { quantity: 1, unitPrice: order.plan.price, price: priceEsim(order.plan, rate) };
  }
  const unitPrice = requireCardValue(order.plan, order.faceValue);
  return { quantity: order.quantity, unitPrice, price: priceGiftCard(order.plan, unitPrice, rate) };
}

/** Without a configured channel the goods could not be sent. */
function requireChannel({ liveChannels }: OrderJudge, { principal, destination }: OrderRequest): void {
  if (destination === undefined || principal.environment === 'test') return;
  if (liveChannels.includes(destination.channel)) return;
  throw new GatewayError({
    code: 'channel_not_offered',
    channel: destination.channel,
    offered: liveChannels,
  });
}
