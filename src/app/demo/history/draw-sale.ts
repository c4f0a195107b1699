/** Draws what a customer buys of a merchant, and judges and prices it as the gateway does. */
import type { Catalog } from '../../../catalog/catalog.ts';
import type { DataPlan } from '../../../catalog/data-plan.ts';
import type { GiftCardPlan } from '../../../catalog/gift-card-plan.ts';
import type { Seeded } from '../../../kernel/seeded.ts';
import type { Principal } from '../../../merchants/merchant.ts';
import type { Destination } from '../../../messages/destination.ts';
import { amountLimits } from '../../../products/bill-amount.ts';
import { billRecipient, hasCustomers } from '../../../products/bill-recipient.ts';
import type { Customer } from '../../../products/customer.ts';
import { parseMobileNumber } from '../../../products/mobile-number.ts';
import { type MobileNetwork, mobileNetworks } from '../../../products/network.ts';
import { type BillProduct, isBillProduct, type VendProduct } from '../../../products/product.ts';
import { judgeOrder, type OrderJudge } from '../../../vending/orders/judge-order.ts';
import type { OrderRequest } from '../../../vending/orders/order.ts';
import type { VendRefusal } from '../../../vending/path/accept-store.ts';
import type { JudgedRequest } from '../../../vending/path/judged-request.ts';
import { type Judge, judgeRequest } from '../../../vending/purchases/judge-request.ts';
import { storeCustomer } from '../../../vending/vend/stored-customer.ts';
import type { VendMode, VendRequest } from '../../../vending/vend/vend.ts';

export type WeekJudge = Judge & OrderJudge & { readonly catalog: Catalog };

/** A purchase that is ready to be accepted. */
export type Sale = {
  readonly judged: JudgedRequest;
  readonly mode: VendMode;
  readonly refusal?: VendRefusal;
  readonly destination?: Destination | undefined;
};

type Buyer = { readonly principal: Principal; readonly reference: string };

/** In kobo. */
const SMALL_PLAN = 3_500_00n;
const airtimeValues = [50n, 100n, 100n, 200n, 200n, 500n, 500n, 1_000n, 2_000n, 5_000n];
const billValues = [1_000n, 2_000n, 3_000n, 5_000n, 5_000n, 7_500n, 10_000n, 20_000n];
const names = [
  'ADEYEMI OLUWASEUN',
  'OKAFOR CHIAMAKA',
  'BELLO IBRAHIM',
  'EZE NKECHI',
  'BALOGUN RASHEED',
  'DANJUMA ESTHER',
];
const prefixes = ['0803', '0806', '0813', '0805', '0815', '0802', '0812', '0809', '0817'];

export function drawSale(judge: WeekJudge, seeded: Seeded, buyer: Buyer, product: VendProduct): Sale {
  if (product === 'GIFTCARD' || product === 'ESIM') return drawOrder(judge, seeded, buyer, product);
  if (isBillProduct(product)) return drawBill(judge, seeded, buyer, product);
  const network = seeded.pick([...mobileNetworks, 'MTN', 'MTN', 'AIRTEL'] as const);
  const plan = product === 'data' ? drawDataPlan(judge, seeded, network) : undefined;
  const msisdn = drawNumber(seeded);
  const judged = judgeRequest(judge, {
    ...buyer,
    product,
    network,
    planCode: plan?.planCode,
    msisdn,
    recipient: parseMobileNumber(msisdn) ?? msisdn,
    faceValue: plan?.price ?? 100n * seeded.pick(airtimeValues),
    phone: undefined,
  });
  return { judged, mode: seeded.happens(0.2) ? 'async' : 'sync' };
}

/** Few buy one for a month or a whole office. */
function drawDataPlan({ catalog }: WeekJudge, seeded: Seeded, network: MobileNetwork): DataPlan {
  const plans = catalog.listDataPlans(network);
  const small = plans.filter(({ price }) => price <= SMALL_PLAN);
  return seeded.pick(small.length === 0 || seeded.happens(0.04) ? plans : small);
}

function drawBill(judge: WeekJudge, seeded: Seeded, buyer: Buyer, product: BillProduct): Sale {
  const plan = seeded.pick(judge.catalog.listBillPlans(product).slice(0, 12));
  const { network } = plan;
  const msisdn = hasCustomers(product, network)
    ? seeded.digits({ ELECTRICITY: 11, CABLE: 10, BETTING: 7, EDUCATION: 10 }[product])
    : drawNumber(seeded);
  const request: VendRequest = {
    ...buyer,
    product,
    network,
    planCode: String(plan.id),
    msisdn,
    recipient: billRecipient(product, network, msisdn),
    faceValue: plan.amountType === 'fixed' ? plan.price : drawAmount(seeded, amountLimits(plan)),
    phone: drawNumber(seeded),
  };
  const judged = judgeRequest(judge, request);
  if (!hasCustomers(product, network)) return { judged, mode: 'sync' };
  if (seeded.happens(0.015)) {
    const telcoMessage = 'No customer has this number';
    return { judged, mode: 'sync', refusal: { reason: 'customer_rejected', telcoMessage } };
  }
  const customer: Customer = {
    name: seeded.pick(names),
    ...(product === 'ELECTRICITY' && {
      address: `${seeded.whole(1, 90)} Allen Avenue, Lagos`,
      meterNumber: msisdn,
    }),
  };
  return {
    judged: { ...judged, details: { ...judged.details, customer: storeCustomer(customer) } },
    mode: 'sync',
  };
}

/** In whole naira, as many customers pay. */
function drawAmount(
  seeded: Seeded,
  { min = 0n, max }: { readonly min?: bigint | undefined; readonly max?: bigint | undefined },
): bigint {
  const wanted = 100n * seeded.pick(billValues);
  if (wanted < min) return min;
  return max !== undefined && wanted > max ? max : wanted;
}

function drawOrder(judge: WeekJudge, seeded: Seeded, buyer: Buyer, product: 'GIFTCARD' | 'ESIM'): Sale {
  if (product === 'ESIM') {
    const { plan } = seeded.pick(judge.catalog.searchEsims('live', {}).slice(0, 30));
    return { judged: judgeOrder(judge, { ...buyer, product, plan }), mode: 'order' };
  }
  const destination: Destination | undefined = seeded.happens(0.5)
    ? { channel: 'email', address: `customer${seeded.whole(1, 40)}@example.com` }
    : undefined;
  const order: OrderRequest = { ...buyer, product, destination, quantity: 1, ...drawCard(judge, seeded) };
  return { judged: judgeOrder(judge, order), mode: 'order', destination };
}

/** `most`: what the card may cost, in kobo. */
export function drawCard(
  { catalog }: Pick<WeekJudge, 'catalog'>,
  seeded: Seeded,
  most?: bigint,
): { readonly plan: GiftCardPlan; readonly faceValue: bigint | undefined } {
  const listed = catalog.searchGiftCards('live', {}).filter(({ plan, ngnPrice }) => {
    const isCheap = most === undefined || (ngnPrice !== undefined && ngnPrice <= most);
    return isCheap && plan.fulfillment === 'immediate';
  });
  const { plan } = seeded.pick(listed.slice(0, 20));
  return { plan, faceValue: plan.faceValue === undefined ? plan.minPrice : undefined };
}

function drawNumber(seeded: Seeded): string {
  return `${seeded.pick(prefixes)}${seeded.digits(7)}`;
}
