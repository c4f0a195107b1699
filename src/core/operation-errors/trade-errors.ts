/**
 * Errors of merchants, providers, routes, prices, purchases and the catalog. Amounts are in minor
 * units of the wallet's currency.
 */
import type { Environment } from '../environment.ts';
import { type Currency, formatAmount } from '../money.ts';
import type { OwedGoods } from '../products/product-record.ts';
import { conflict, invalid, notFound } from './define-error.ts';

export const tradeErrors = {
  // Webhooks.

  no_webhook_endpoint: notFound('No webhook endpoint "{endpoint}".'),
  webhook_endpoint_disabled: conflict(
    'The webhook endpoint {endpoint} is disabled, so nothing is sent to it. Enable it first.',
  ),
  webhook_endpoints_full: conflict(
    'The environment has the maximum of {max} webhook endpoints. Delete one first.',
  ),
  no_webhook_delivery: notFound('No webhook delivery "{delivery}".'),
  times_backwards: invalid('The first time must be before the last time.'),

  // Merchants and their credentials.

  no_merchant: notFound('No merchant "{merchant}".'),
  merchant_exists: conflict('The merchant "{merchant}" exists already.'),
  merchant_code_malformed: invalid('code must be 2 to 40 letters, digits, "-" and "_".'),
  discount_malformed: invalid('A discount must be from 0 to {basisPointsMax:percent}.'),
  merchant_has_price_list: conflict(
    '{merchant} pays by the price list "{list}". Change the list, or remove the merchant from it first.',
  ),
  no_price_list: notFound('No price list "{list}".'),
  no_price_version: notFound('The price list "{list}" has no version {version}.'),
  price_list_exists: conflict('The price list "{list}" exists already.'),
  price_list_archived: conflict('The price list "{list}" is archived.'),
  price_list_used: conflict(
    'The price list "{list}" still has {count} merchants. Remove them from it first.',
  ),
  price_version_begun: conflict(
    'Version {version} of "{list}" has begun or is about to, so it cannot be changed.',
  ),
  price_version_planned: conflict('Version {version} of "{list}" already has a time. Withdraw it first.'),
  begin_passed: invalid(
    'A version of "{list}" must begin in the future, at a time at which no other version begins.',
  ),
  price_rules_malformed: invalid('The rules cannot be read: {faults:notes}.'),
  no_credential: notFound('No credential "{keyId}".'),
  /** Revoked or expired. */
  credential_ended: conflict('The credential "{keyId}" is no longer valid. Issue a new one.'),
  too_many_credentials: conflict(
    'The merchant already has {max} active {environment} credentials. Revoke one first.',
  ),
  address_malformed: invalid('"{text}" is not an address or a network such as 10.1.0.0/16.'),
  caps_crossed: invalid(
    'The cap per purchase, {perPurchase:amount}, must not exceed the cap per day, {perDay:amount}.',
  ),
  mcp_needs_caps: invalid(
    'Purchases by an agent need both spend caps: set the cap per purchase and the cap per day.',
  ),

  // Networks and routes.

  no_such_kind: invalid('"{kind}" is not a kind of {product}. Its kinds are {known:list}.'),
  no_such_rule: conflict('There is no such rule.'),
  no_such_discount: conflict('The merchant has no discount of {kind} {product} on {network}.'),
  no_such_network: invalid('"{network}" is not a network of {product}. Use one of {known:list}.'),
  no_such_provider: invalid('No provider "{provider}". Use one of {known:list}.'),
  provider_repeated: invalid('{provider} is listed twice.'),
  /** `testing`: the providers of test purchases, which never serve live ones. */
  provider_of_other_environment: invalid(
    'Use {testing:list} for test purchases, and other providers for live purchases.',
  ),

  // Providers.

  no_such_connector: invalid('No connector "{connector}". Use one of {known:list}.'),
  provider_name_malformed: invalid(
    'A name must be 1 to 40 lower-case letters, digits and hyphens, and must begin with a letter or a digit.',
  ),
  /** A name leads to one account permanently. */
  provider_name_taken: conflict('The name "{name}" is or was in use. Choose another name.'),
  provider_routed: conflict(
    '{provider} is in routes: {routes:list}. Take it out of them first (route set, route remove).',
  ),
  provider_has_pending: conflict(
    'Pending purchases wait for {provider}, or may still go to it. Remove it when they are final.',
  ),
  provider_has_plans: conflict(
    '{plans} plans of the catalog have codes of {provider}. Nothing was changed.',
    'To remove it all the same, choose to keep the codes in the catalog (keep_codes).',
  ),
  not_paused: conflict('{provider} is not paused for {place}.'),
  /** `known` is empty where no setting of the provider can be stored. */
  credential_unknown: invalid(
    ({ provider, name, known }: OfProvider & { name: string; known: readonly string[] }) =>
      known.length === 0
        ? `${provider} has no settings that can be stored.`
        : `${provider} has no setting ${name}. Use ${known.join(', ')}.`,
  ),
  /** `faults` has no values. */
  credentials_unfit: invalid('Nothing was stored for {provider}: {faults:notes}'),
  secrets_for_address: invalid(
    'The stored secrets of {provider} are not sent to another address. Nothing was stored.',
    'Give {names:and} again, together with the address.',
  ),
  /** Orders at the current account are not settled. */
  provider_account_changes: conflict(
    '{names:and} may belong to another account, where the pending purchases of {provider} do not',
    'exist. Wait until they are settled. If it is the same account, allow it (force) and try again.',
  ),
  credentials_unopened: conflict(
    'The stored credentials of {provider} cannot be decrypted with any configured key.',
    'Add their key to OJA_ENCRYPTION_KEYS_OLD, or store the credentials again.',
  ),
  no_credentials_before: conflict('No credentials are stored for {provider}.'),
  share_of_stranger: invalid('{provider} has a share but is not a provider of the route.'),
  strategy_of_shares: invalid(
    'The strategy shares needs weights of providers, and no other strategy has them. Nothing was changed.',
  ),

  // Exchange rates and discounts. Each can be forced.

  rate_change_large: conflict(
    ({ currency, before, after }: { currency: string; before: Rate; after: Rate }) =>
      `1 ${currency} would change by more than 20 %: from ${rateText(before)} to ${rateText(after)}. ` +
      'Nothing was changed. If it is right, allow it (force) and try again.',
  ),
  discount_change_large: conflict(
    '{basisPoints:percent} is more than {basisPointsMax:percent}, the most that providers give, so',
    'purchases would sell below cost. Nothing was changed. If it is right, allow it (force) and try again.',
  ),
  /** `examples` are the worst sales by the last known costs; `more` counts the others. */
  sells_below_cost: conflict(
    ({ examples, more }: { examples: readonly SaleAtLoss[]; more: number }) =>
      `This would sell below cost: ${examples.map(lossText).join('; ')}` +
      `${more > 0 ? `; and ${more} more` : ''}. Nothing was changed. If it is right, allow it (force) and try again.`,
  ),
  rate_unlikely: conflict(
    ({ currency, rate, low, high, from }: UnlikelyRate) =>
      `A rate of ${rate} naira for 1 ${currency} is unlikely: ` +
      (from === undefined ? 'it is usually' : `by the rate of ${from} it should be`) +
      ` ${low} to ${high}. Nothing was changed. If it is right, allow it (force) and try again.`,
  ),

  // Batches.

  one_file_needed: invalid('Give the rows once: as csv, or as xlsx.'),
  no_batch: notFound('No batch "{batch}".'),
  batch_ended: conflict('The batch is {state} and cannot be changed. Upload another file.'),
  batch_not_started: conflict('The batch was not started, so it cannot be paused. Stop it instead.'),
  batch_has_duplicates: conflict(
    '{count} rows repeat an earlier row. Nothing was charged. If it is right, allow duplicates and start again.',
  ),
  batch_not_covered: conflict(
    'The batch costs {charge:amount} and the wallet has {available:amount}. Nothing was charged. Add funds first.',
  ),
  credential_bound: conflict(
    'The credential "{keyId}" can be used from some addresses only. Choose one without an address list.',
  ),

  // Saved recipients.

  no_recipient: notFound('No saved recipient "{recipient}".'),
  recipients_full: conflict('{max} recipients are saved already. Remove some first.'),

  // Purchases.

  /** `reason` and `message` are those of the API. */
  purchase_refused: conflict(({ message }: { reason: string; message: string }) => message),
  purchase_unknown: conflict(
    'It is not known yet whether the purchase was stored. Buy again under the same reference: nothing is bought twice.',
  ),
  no_purchase: notFound('No purchase with the reference or id "{purchase}".'),
  purchase_ambiguous: conflict(
    ({
      purchase,
      places,
    }: {
      purchase: string;
      places: readonly { merchant: string; environment: Environment }[];
    }) =>
      `"${purchase}" was used more than once. Give the merchant and the environment:\n` +
      places.map(({ merchant, environment }) => `  ${merchant}, ${environment}`).join('\n'),
  ),
  purchase_not_delivered: conflict('The purchase is {status}. Only a successful purchase has goods.'),
  purchase_final: conflict('The purchase is already final: {status}.'),
  purchase_being_sent: conflict(
    'A gateway may be sending the purchase at this moment. Try again in two minutes.',
  ),
  /** The query before the settlement brought an answer. */
  provider_decided: conflict(
    '{provider} answered first: the purchase is {status} now. Your settlement was not applied.',
  ),
  /** Two persons can override the provider's answer. */
  provider_says_otherwise: conflict(
    ({ provider, said }: OfProvider & { said: keyof typeof contradictions }) =>
      `${provider} reports that ${contradictions[said]}. Nothing was settled. If its support withdraws ` +
      'that in writing, override the answer. A second person must then approve the settlement.',
  ),
  /** No live process has the provider, and it is not configured here. */
  nobody_can_ask: conflict(
    '{provider} cannot be queried:',
    'no running gateway is connected to it, and it is not configured here.',
  ),
  cost_of_nothing: invalid('cost is only for a success: a failed purchase costs nothing.'),
  refund_of_unsuccessful: conflict(({ status }: { status: 'pending' | 'failed' }) =>
    status === 'pending'
      ? 'The purchase is pending and its money is held. Settle it first.'
      : 'The purchase failed, and its money was returned then.',
  ),
  nothing_to_refund: conflict(({ refunded }: { refunded: bigint }) =>
    refunded === 0n
      ? 'Nothing was paid for the purchase.'
      : `The purchase is fully refunded: ${formatAmount(refunded)}.`,
  ),
  /** `left`: the paid amount that is not refunded yet. */
  refund_too_large: conflict('{amount:amount} cannot be refunded: {left:amount} of {paid:amount} is left.'),

  // Goods.

  no_token_owed: conflict('The purchase is not waiting for a token.'),
  token_there: conflict('The purchase already has its token. A token cannot be changed.'),
  goods_are_sealed: conflict(
    'The purchase brings cards, PINs or an eSIM. Add them as the goods of an order.',
  ),
  goods_not_sealed: conflict(
    'The purchase brings no card, PIN or eSIM. If it lacks its token, add the token.',
  ),
  goods_there: conflict('The order already has its goods. Goods cannot be changed.'),
  order_not_sent: conflict(
    'The order has not been sent to a provider yet, so it cannot have been delivered.',
  ),
  order_failed_finally: conflict(
    'The order failed and its money was returned.',
    'Settle it with the merchant by a wallet correction.',
  ),
  goods_malformed: invalid(
    ({ wanted, quantity }: { wanted: OwedGoods; quantity: number }) =>
      `The file must have ${goodsForms[wanted](quantity)}.`,
  ),

  // Receipts.

  no_receipt: conflict('The purchase was not delivered, or was refunded, so it has no receipt.'),
  receipt_of_cards: conflict('Gift cards are sent by the delivery of their order.'),
  receipt_sent_often: conflict('The receipt was sent {max} times. Give the customer its link instead.'),
  /** `known` is empty where no message can be sent. */
  channel_missing: conflict('The gateway cannot send messages by {channel}. It sends by {known:or}.'),
  destination_malformed: invalid(
    'to must be an e-mail address, or a mobile number such as 08031234567, as the channel needs.',
  ),
  logo_malformed: invalid('logo must be a PNG, JPEG or WebP image of at most 64 KB.'),

  // Deliveries to customers.

  nothing_to_send: conflict('The purchase has no delivery to a customer.'),
  order_not_ready: conflict('The order has no goods yet. It is sent when it has them.'),
  order_failed: conflict('The order failed, so there is nothing to send.'),
  delivery_under_way: conflict('The message is being sent at this moment.'),
  delivery_sent: conflict('The message was sent already. To send it once more, allow it (again) and retry.'),
  delivery_doubtful: conflict(
    'The message may have reached the customer. To send it anyway, allow it (again) and retry.',
  ),

  // The catalog.

  /** The file has no records at all. */
  catalog_unreadable: invalid('{source} cannot be read: {why}'),
  /** `faults` is never empty. */
  catalog_at_fault: invalid(({ source, faults }: { source: string; faults: readonly FileFault[] }) => {
    const rows = faults.slice(0, CATALOG_FAULTS_MAX).map(({ lines, fault }) => {
      return lines.length === 0 ? `  ${fault}` : `  line ${lines.join(', ')}: ${fault}`;
    });
    const more = faults.length - CATALOG_FAULTS_MAX;
    if (more > 0) rows.push(`  and ${more} more`);
    return `${source} has errors. Nothing was applied.\n${rows.join('\n')}`;
  }),
  catalog_changed: conflict(
    '{subjects:and} changed after you read the catalog. Nothing was changed.',
    'Read the catalog again, check the new values, and try again.',
  ),
  route_changed: conflict(
    'The route changed after you read it. Nothing was changed.',
    'Read the route again, check its providers, and try again.',
  ),
  provider_has_no_list: conflict('{provider} is not configured, or has no list of its plans.'),
  provider_says_nothing: conflict('{provider} did not return its list of {of}. Try again.'),
};

/** A report of the provider that contradicts the settlement. */
const contradictions = {
  success: 'it delivered the purchase',
  failed: 'the purchase failed',
  not_found: 'it did not receive the purchase',
} as const;

type OfProvider = { provider: string };

/** An error of a file, with the numbers of its lines. */
export type FileFault = { readonly lines: readonly number[]; readonly fault: string };

/** `margin` in percent. */
type Rate = { rate: string; margin: string };

/** A sale that would cost more than the merchant pays. */
type SaleAtLoss = {
  /** A merchant, or a version of a price list. Undefined: everyone who pays the face value. */
  buyer: string | undefined;
  product: string;
  network: string;
  /** Empty if the product has no plans. */
  planCode: string;
  provider: string;
  /** The ordered value, in minor units of `currency`. */
  currency: Currency;
  amount: bigint;
  /** In kobo. */
  cost: bigint;
  /** In kobo. */
  charge: bigint;
};

/** `from`: the currency whose rate implies the range; undefined: the usual range. */
type UnlikelyRate = {
  currency: Currency;
  rate: string;
  low: string;
  high: string;
  from: Currency | undefined;
};

const CATALOG_FAULTS_MAX = 500;

/** The required content of a file of goods, by the kind of goods. */
const goodsForms: Readonly<Record<OwedGoods, (quantity: number) => string>> = {
  token: () => 'a token of 20 digits',
  cards: (quantity) =>
    `"cards", a list of exactly ${quantity}, each with card_number, pin, claim_url or expiry and nothing else`,
  pins: (quantity) => `"pins", a list of exactly ${quantity}, each with pin and optionally serial`,
  iccid: () => '"iccid", 18 to 22 digits, and "lpa", such as LPA:1$smdp.example.com$CODE',
};

function rateText({ rate, margin }: Rate): string {
  return `${rate} naira, margin ${margin} %`;
}

function lossText(sale: SaleAtLoss): string {
  const { buyer, product, network, planCode, provider, currency, amount, cost, charge } = sale;
  const what = [network === product ? '' : network, product, planCode]
    .filter((word) => word !== '')
    .join(' ');
  const who = buyer ?? 'a merchant without a discount';
  return (
    `${who} would pay ${formatAmount(charge)} for ${what} of ${formatAmount(amount)} ${currency}, ` +
    `for which ${provider} last charged ${formatAmount(cost)}`
  );
}
