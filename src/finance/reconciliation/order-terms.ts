/**
 * Reads the terms of a purchase from a provider's line: product, network, face value, charge, and
 * the data to query the provider. Face values are the current ones, and charges follow the version
 * of the merchant's price list at that time. Terms that the line does not have are taken from the
 * operator, or are missing.
 */
import { type BillPlan, billPlanCode } from '../../catalog/bill-plan.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { priceEsim } from '../../catalog/esim-plan.ts';
import { formatRate, type GoodsCurrency } from '../../catalog/fx-rate.ts';
import { cardValueLimits, priceGiftCard } from '../../catalog/gift-card-plan.ts';
import { expectedCost, type KnownCost } from '../../catalog/margins/expected-cost.ts';
import { billRecipient } from '../../core/products/bill-recipient.ts';
import { parseMobileNumber } from '../../core/products/mobile-number.ts';
import { parseMobileNetwork } from '../../core/products/network.ts';
import { isBillProduct } from '../../core/products/product.ts';
import { kindsOf, recordOf } from '../../core/products/registry.ts';
import {
  chargeByRule,
  type PricedPlace,
  type PriceRules,
  placesOf,
  ruleAt,
} from '../../merchants/prices/price-rule.ts';
import { storedList } from '../../purchases/create/price-by-list.ts';
import type { AcceptItem } from '../../purchases/engine/accept-store.ts';
import type { PurchaseDetails } from '../../purchases/state/purchase-details.ts';
import { amountOf, type ListedOrder } from './finding.ts';
import { findTraced, type SoldPlan, soldBill, soldData } from './traced-plan.ts';

/** The terms of a purchase as stored; the customer is as listed. */
export type OrderTerms = Omit<
  AcceptItem,
  | 'id'
  | 'merchantId'
  | 'environment'
  | 'reference'
  | 'walletId'
  | 'route'
  | 'credentialId'
  | 'createdAt'
  | 'refusal'
  | 'attempt'
  | 'delivery'
  | 'voucher'
>;

/** Terms that an operator gives because the line does not have them. */
export type Given = {
  readonly product?: string | undefined;
  readonly network?: string | undefined;
  /** The code of a plan in the catalog. */
  readonly plan?: string | undefined;
  /** The face value, in kobo. */
  readonly amount?: bigint | undefined;
  readonly recipient?: string | undefined;
};

/** The name of a missing term. */
type MissingTerm = 'product' | 'network' | 'plan' | 'amount' | 'recipient';

export type Terms =
  | { readonly kind: 'terms'; readonly terms: OrderTerms }
  | { readonly kind: 'missing'; readonly what: MissingTerm };

export type TermsReader = {
  readonly catalog: Catalog;
  /** Those of the merchant's price list that held when the order was made. */
  readonly rules: PriceRules;
  /** The version that the rules are of. Undefined without rules. */
  readonly version: { readonly list: string; readonly version: number } | undefined;
  readonly costs: readonly KnownCost[];
  /** Finds the network of the merchant's last purchase for the recipient. */
  readonly lastNetworkOf: (product: string, recipient: string) => Promise<string | undefined>;
};

export async function readTerms(
  reader: TermsReader,
  provider: string,
  line: ListedOrder,
  given: Given,
  /** The trace of the plan, if the order's reference has one. */
  trace: number | undefined,
): Promise<Terms> {
  const traced = findTracedPlan(reader.catalog, provider, line, given, trace);
  const product = given.product ?? line.product ?? traced?.product;
  const record = product === undefined ? undefined : recordOf(product);
  if (record === undefined) return missing('product');
  if (record.kind === 'order') {
    return record.plans === 'giftcard'
      ? cardTerms(reader, provider, line, given)
      : esimTerms(reader, provider, line, given);
  }
  const customer = given.recipient ?? line.recipient;
  if (customer === undefined || customer === '') return missing('recipient');
  const network =
    traced?.network ?? (await networkOf(reader, record.name, customer, given.network ?? line.network));
  if (network === undefined) return missing('network');
  const recipient = recipientOf(record.name, network, customer);
  // A plan is charged at our price, whatever its cost.
  const faceValue = given.amount ?? traced?.price ?? (isNaira(line) ? amountOf(line.amount) : undefined);
  if (faceValue === undefined || faceValue <= 0n) return missing('amount');
  const bought = { provider, product: record.name, network, faceValue };
  const plan = traced ?? planOf(reader.catalog, bought, given.plan);
  if (plan === undefined && given.plan !== undefined) return missing('plan');
  const planKind = plan?.details?.kind ?? kindsOf(record.name)[0];
  const place = { product: record.name, network, planKind, planCode: plan?.code };
  return {
    kind: 'terms',
    terms: {
      product: record.name,
      network,
      msisdn: customer,
      recipient,
      faceValue,
      planCode: plan?.code,
      ...chargeOf(reader, provider, { place, faceValue, details: plan?.details }),
      mode: isBillProduct(record.name) ? 'sync' : 'async',
    },
  };
}

/** Prices the order like its purchase, with the usual cost at its provider. */
function chargeOf(
  { rules, version, costs }: TermsReader,
  provider: string,
  bought: {
    readonly place: PricedPlace;
    readonly faceValue: bigint;
    readonly details: PurchaseDetails | undefined;
  },
): Pick<OrderTerms, 'charge' | 'details'> {
  const { place, faceValue, details } = bought;
  const rule = ruleAt(rules, placesOf(place));
  if (rule === undefined || version === undefined) return { charge: faceValue, details };
  const known = costs.filter(
    ({ product, network }) => product === place.product && network === place.network,
  );
  const planCode = place.planCode ?? details?.kind ?? '';
  const isFixed = place.planCode !== undefined;
  const ordered = { planCode, currency: 'NGN', amount: faceValue, isFixed } as const;
  const cost = rule.pricing.by === 'margin' ? expectedCost(known, provider, ordered)?.cost : undefined;
  return {
    charge: chargeByRule(rule, faceValue, cost),
    details: { ...details, priceList: storedList({ ...version, rule }, cost) },
  };
}

function missing(what: MissingTerm): Terms {
  return { kind: 'missing', what };
}

/** Finds the plan by its trace, unless the operator names a plan. */
function findTracedPlan(
  catalog: Catalog,
  provider: string,
  line: ListedOrder,
  { product, network, plan }: Given,
  trace: number | undefined,
): SoldPlan | undefined {
  if (trace === undefined || plan !== undefined) return undefined;
  const reported = { product: product ?? line.product, network: network ?? line.network };
  return findTraced(catalog, trace, {
    ...reported,
    provider,
    amount: isNaira(line) ? amountOf(line.amount) : undefined,
  });
}

/** Returns the recipient as a purchase stores it. */
function recipientOf(product: string, network: string, customer: string): string {
  return isBillProduct(product)
    ? billRecipient(product, network, customer)
    : (parseMobileNumber(customer) ?? customer);
}

function isNaira({ currency }: ListedOrder): boolean {
  return currency === 'NGN';
}

async function networkOf(
  { catalog, lastNetworkOf }: TermsReader,
  product: string,
  recipient: string,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined) return await lastNetworkOf(product, recipient);
  return isBillProduct(product) ? catalog.findBiller(product, text)?.network : parseMobileNetwork(text);
}

type Bought = {
  readonly provider: string;
  readonly product: string;
  readonly network: string;
  readonly faceValue: bigint;
};

/**
 * Finds a plan of the same price. Plans of one price are interchangeable here, so the first is
 * used.
 */
function planOf(
  catalog: Catalog,
  { provider, product, network, faceValue }: Bought,
  given: string | undefined,
): Pick<SoldPlan, 'code' | 'details'> | undefined {
  if (isBillProduct(product)) {
    const sold = catalog
      .listBillPlans(product, network)
      .filter(({ providerCodes }) => provider in providerCodes);
    const plan = sold.find((one) =>
      given === undefined ? fits(one, faceValue) : billPlanCode(one) === given,
    );
    return plan && soldBill(plan);
  }
  const mobile = recordOf(product)?.plans === 'data' ? parseMobileNetwork(network) : undefined;
  if (mobile === undefined) return undefined;
  const plan = catalog
    .listDataPlans(mobile)
    .find(({ planCode, price }) => (given === undefined ? price === faceValue : planCode === given));
  return plan && soldData(plan);
}

/** Returns whether a plan fits. Prepaid meters are preferred, because they are owed a token. */
function fits(plan: BillPlan, faceValue: bigint): boolean {
  if (plan.meterKind === 'postpaid') return false;
  return plan.amountType === 'fixed' ? plan.price === faceValue : true;
}

function cardTerms({ catalog }: TermsReader, provider: string, line: ListedOrder, given: Given): Terms {
  const { item } = line;
  const quantity = item?.quantity ?? 1;
  const unitPrice = amountOf(item?.unitPrice ?? (quantity === 1 ? line.amount : undefined));
  if (unitPrice === undefined) return missing('amount');
  const cards = catalog.searchGiftCards('live', {}).map(({ plan }) => plan);
  const plan = cards.find((one) => {
    if (given.plan !== undefined) return String(one.planId) === given.plan;
    const { min, max } = cardValueLimits(one);
    return isSameItem(one.providerCodes[provider], item?.planCodes) && unitPrice >= min && unitPrice <= max;
  });
  const rate = plan && catalog.fxRate(plan.currency);
  if (plan === undefined || rate === undefined) return missing('plan');
  const price = priceGiftCard(plan, unitPrice, rate);
  const named = { product: 'GIFTCARD', planCode: String(plan.planId), title: plan.title } as const;
  return orderTerms(named, { quantity, unitPrice, currency: plan.currency }, price, {
    planCodes: plan.providerCodes,
    rate: formatRate(rate.rateMicro),
  });
}

function esimTerms({ catalog }: TermsReader, provider: string, { item }: ListedOrder, given: Given): Terms {
  const plans = catalog.searchEsims('live', {}).map(({ plan }) => plan);
  const plan = plans.find((one) =>
    given.plan === undefined
      ? isSameItem(one.providerCodes[provider], item?.planCodes)
      : one.planId === given.plan,
  );
  const rate = plan && catalog.fxRate(plan.currency);
  if (plan === undefined || rate === undefined) return missing('plan');
  const price = priceEsim(plan, rate);
  const named = { product: 'ESIM', planCode: plan.planId, title: plan.title } as const;
  return orderTerms(named, { quantity: 1, unitPrice: plan.price, currency: plan.currency }, price, {
    planCodes: plan.providerCodes,
    rate: formatRate(rate.rateMicro),
  });
}

type Named = { readonly product: 'GIFTCARD' | 'ESIM'; readonly planCode: string; readonly title: string };

function orderTerms(
  { product, planCode, title }: Named,
  item: { readonly quantity: number; readonly unitPrice: bigint; readonly currency: GoodsCurrency },
  price: { readonly ngnPrice: bigint; readonly ngnCost: bigint },
  details: Pick<PurchaseDetails, 'planCodes' | 'rate'>,
): Terms {
  const count = BigInt(item.quantity);
  const charge = price.ngnPrice * count;
  return {
    kind: 'terms',
    terms: {
      product,
      network: product,
      planCode,
      msisdn: '',
      recipient: '',
      faceValue: charge,
      charge,
      mode: 'order',
      details: {
        ...details,
        goodsOwed: recordOf(product).owes.goods,
        item: { ...item, unitPrice: String(item.unitPrice) },
        title,
        cost: String(price.ngnCost * count),
      },
    },
  };
}

/** Returns whether all codes that the provider reported are those of the plan. */
function isSameItem(
  codes: Readonly<Record<string, string>> | undefined,
  reported: Readonly<Record<string, string>> | undefined,
): boolean {
  if (codes === undefined || reported === undefined) return false;
  return Object.entries(reported).every(([name, code]) => codes[name] === code);
}
