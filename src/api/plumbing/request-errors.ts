/**
 * Every error of the core that ends a merchant's request: its status, its meaning in the documents,
 * and its message and field. The compiler keeps the table complete. `core/request-fault.ts`
 * declares the parameters of each code. A message says what happened, what it means for the money,
 * and what to do next.
 */
import { formatAmount } from '../../core/money.ts';
import type { EndpointUrlFault, RegistrantRole, RequestFaults } from '../../core/request-fault.ts';
import {
  at,
  type Definition,
  defineError,
  LATER_S,
  later,
  nothingCharged,
  SOON_S,
  soon,
  tryAgain,
} from './define-error.ts';
import { purchaseErrors } from './purchase-errors.ts';

export const requestErrors = {
  ...purchaseErrors,

  // Overload. Nothing was stored, and the same request can be sent again.

  requests_full: defineError(
    503,
    'The merchant uses its share of concurrent requests, or the gateway its maximum.',
    () => soon('Too many concurrent requests.'),
  ),
  purchases_full: defineError(503, 'The queue of purchases is full.', () => soon('The service is busy.')),
  purchase_not_stored: defineError(503, 'The purchase could not be stored.', () =>
    soon('The service is busy.'),
  ),
  providers_busy: defineError(503, 'Every provider of the product is at its limit.', ({ freeAfterMs }) => ({
    ...soon('The provider is busy.'),
    retryAfterS: Math.max(SOON_S, Math.ceil(freeAfterMs / 1_000)),
  })),
  provider_look_ups_full: defineError(503, 'Too many lookups are waiting for the provider.', () =>
    soon('Too many concurrent lookups at the provider.'),
  ),
  qr_codes_full: defineError(503, 'Too many QR codes are being drawn.', () =>
    tryAgain('Too many QR codes are being drawn.'),
  ),
  credentials_full: defineError(503, 'Too many credentials are being checked.', () =>
    tryAgain('Too many credentials are being checked.'),
  ),
  look_ups_full: defineError(429, 'The merchant has too many concurrent lookups.', () =>
    tryAgain('Too many concurrent lookups for this merchant.'),
  ),
  event_polls_full: defineError(429, 'The merchant has too many concurrent long-poll requests.', () => ({
    message: 'Too many concurrent long-poll requests for this merchant. Wait until one of them ends.',
    retryAfterS: SOON_S,
  })),
  database_away: defineError(503, 'The gateway cannot look this up at the moment.', () =>
    tryAgain('The service is busy.'),
  ),
  account_being_opened: defineError(503, 'Another request is opening the same funding account.', () => ({
    message: 'The funding account is being opened. Send the same request again.',
    retryAfterS: SOON_S,
  })),

  // Not available at the moment. Nothing was stored.

  no_provider: defineError(503, 'No provider is available for the product and network.', (fault) =>
    later(`No provider is available for ${nameOf(fault)}.`),
  ),
  selling_paused: defineError(503, 'The operator has paused the product and network.', (fault) =>
    later(`Purchases of ${nameOf(fault)} are paused.`),
  ),
  purchases_locked: defineError(503, 'Purchases are paused while recent transactions are recovered.', () => ({
    message: `Purchases are paused while recent transactions are recovered. ${nothingCharged} Retry later with the same reference.`,
    readMessage:
      'Recent transactions are being recovered, so this purchase may exist. Do not buy it again. Look it up again later.',
    retryAfterS: LATER_S,
  })),
  no_exchange_rate: defineError(503, 'The currency has no exchange rate.', ({ currency }) =>
    later(`Purchases in ${currency} are not available: no exchange rate is set.`),
  ),
  no_bank: defineError(503, 'No bank is available for accounts of this currency.', ({ currency }) => ({
    message: `No bank is available for ${currency} accounts.`,
    retryAfterS: LATER_S,
  })),
  order_not_served: defineError(
    502,
    'The provider cannot serve the order at the moment.',
    `The provider cannot serve this order at the moment. ${nothingCharged} Try again later.`,
  ),
  availability_unknown: defineError(
    502,
    'Availability could not be checked.',
    'Availability could not be checked. Try again shortly.',
  ),
  mtn_balances_unknown: defineError(
    502,
    'The balances could not be read from the provider.',
    'The balances could not be read from the provider. Try again shortly.',
  ),
  bank_silent: defineError(
    502,
    'The bank did not answer; the registration is stored.',
    'The bank did not answer. Your registration is stored. Send the same request again to continue.',
  ),

  // Not allowed, or not found.

  merchant_suspended: defineError(
    403,
    'The merchant is suspended: it can look up purchases and cannot buy.',
    'This merchant is suspended. You can look up purchases but cannot buy. Contact your account manager.',
  ),
  product_not_enabled: defineError(403, 'The product is not enabled for the merchant.', ({ product }) => ({
    message: `The product ${product} is not enabled for this merchant. Contact your account manager.`,
  })),
  funding_not_enabled: defineError(
    403,
    'Bank funding is not enabled for the wallet of this currency.',
    ({ currency }) => ({ message: `Bank funding is not enabled for the ${currency} wallet.` }),
  ),
  test_credentials_only: defineError(
    403,
    'The path is for test credentials, and this credential is live.',
    'This path is for test credentials only. Use a credential that begins with oja_test_.',
  ),
  no_wallet_to_pay: defineError(
    404,
    'The merchant has no wallet to pay the purchase from.',
    ({ currency }) => ({ message: `This merchant has no ${currency} wallet to pay from. ${nothingCharged}` }),
  ),
  no_wallet: defineError(404, 'The merchant has no wallet of this currency.', ({ currency }) => ({
    message: `This merchant has no ${currency} wallet.`,
  })),
  no_funding_account: defineError(
    404,
    'The merchant has no funding account of this currency.',
    ({ currency }) => ({ message: `No ${currency} funding account. Create one first.` }),
  ),
  funding_account_refused: defineError(
    404,
    'The bank refused to open the funding account.',
    ({ currency, reason }) => ({ message: `No ${currency} funding account: ${reason}` }),
  ),

  // Lists, events and webhooks.

  page_too_deep: defineError(
    400,
    'The page is beyond the last page that can be requested by number: use `cursor`.',
    () => at('page', 'is too far into the list. Use cursor with the next_cursor of the previous page'),
  ),
  cursor_of_other_statement: defineError(400, 'The cursor belongs to another statement.', () =>
    at('cursor', 'must be the next_cursor of the previous page, with the same days and currency'),
  ),
  event_cursor_unknown: defineError(400, 'The cursor does not belong to this feed.', () =>
    at('after', 'must be a cursor that this feed returned for the same merchant and environment'),
  ),
  event_cursor_expired: defineError(400, 'The events after the cursor are no longer kept.', () =>
    at(
      'after',
      'is too old: some later events are no longer kept. Start again without it, and look up the rest',
    ),
  ),
  endpoint_url_refused: defineError(400, 'The URL is not allowed for a webhook endpoint.', ({ why }) =>
    at('url', endpointUrlWords[why]),
  ),
  endpoints_full: defineError(
    400,
    'The merchant has the maximum number of webhook endpoints.',
    ({ max }) => ({ message: `You have the maximum of ${max} webhook endpoints. Delete one first.` }),
  ),
  endpoint_disabled: defineError(
    400,
    'The webhook endpoint is disabled.',
    'The webhook endpoint is disabled. Enable it first.',
  ),
  no_endpoint: defineError(
    404,
    'No webhook endpoint of the merchant has this id.',
    'No webhook endpoint with this id.',
  ),
  no_webhook_delivery: defineError(
    404,
    'No delivery of the endpoint has this id.',
    'No webhook delivery with this id.',
  ),

  // Batches.

  batch_file_unreadable: defineError(400, 'The file of the batch cannot be read as rows.', ({ why }) =>
    at(why === 'spreadsheet' ? 'xlsx' : 'csv', unreadableWords[why]),
  ),
  batch_rows_full: defineError(400, 'The file of the batch has too many rows.', ({ max }) =>
    at('csv', `must have at most ${max} rows. Split the file`),
  ),
  batch_column_missing: defineError(400, 'The file of the batch lacks a column.', ({ column }) =>
    at('csv', `must have the column ${column} in its first line`),
  ),
  batch_column_repeated: defineError(
    400,
    'Two columns of the file of the batch have the same meaning.',
    ({ column }) => at('csv', `has two columns that mean ${column}. Remove or rename one`),
  ),
  no_batch: defineError(404, 'No batch of the merchant has this id.', 'No batch with this id.'),
  batch_ended: defineError(400, 'The batch is stopped or done, so it cannot be changed.', ({ state }) => ({
    message: `The batch is ${state} and cannot be changed. Upload another file for further purchases.`,
  })),
  batch_not_started: defineError(400, 'The batch was not started, so it cannot be paused.', () => ({
    message: 'The batch was not started. Start it with state "running", or stop it.',
  })),
  batch_has_duplicates: defineError(
    400,
    'Rows of the batch repeat earlier rows, and duplicates were not allowed.',
    ({ count }) => ({
      message: `${count} rows repeat an earlier row. ${nothingCharged} Send allow_duplicates to buy them too.`,
    }),
  ),
  batch_not_covered: defineError(400, 'The balance does not cover the batch.', ({ charge, available }) => ({
    message: `The batch costs ${formatAmount(charge)} and the wallet has ${formatAmount(available)}. ${nothingCharged} Add funds, then start it.`,
  })),

  // Test credentials.

  test_clock_ends: defineError(400, 'The test clock cannot be moved that far.', ({ leftS }) =>
    at('advance_s', `must be at most ${leftS}: the test clock can be moved only that much further`),
  ),
  test_deposit_differs: defineError(
    422,
    'The reference was used for a test deposit of another amount or currency.',
    ({ reference }) => ({
      message: `The reference ${reference} was used for a transfer of another amount or currency. Use a new reference.`,
      field: 'reference',
      fieldMessage: 'reference must be unique for each transfer',
    }),
  ),

  // The registration for a funding account.

  registrant_missing: defineError(
    422,
    'The registration lacks a field about the account holder.',
    ({ role }) => at(...registrantFields[role]),
  ),
  not_an_adult: defineError(400, 'The account holder must be an adult.', () =>
    at('date_of_birth', 'must be that of an adult, as "YYYY-MM-DD"'),
  ),
  email_taken: defineError(
    400,
    'The bank has registered this e-mail address for another account holder.',
    () => at('email', 'belongs to another account holder. Use another address'),
  ),
  registration_refused: defineError(400, 'The bank refused the registration.', ({ reason }) => ({
    message: `No account was opened: ${reason}`,
  })),
} satisfies { readonly [Code in keyof RequestFaults]: Definition<Code> };

const unreadableWords: Readonly<Record<'empty' | 'encoding' | 'format' | 'columns' | 'spreadsheet', string>> =
  {
    empty: 'must have a line of column names and at least one row',
    encoding: 'must be UTF-8 text. Save the file as "CSV UTF-8"',
    format: 'must be CSV with commas, semicolons or tabs',
    columns: 'must have at most 100 columns',
    spreadsheet: 'must be a small XLSX file with the rows on its first sheet. Or save it as CSV',
  };

const endpointUrlWords: Readonly<Record<EndpointUrlFault, string>> = {
  malformed: 'must be a URL such as "https://shop.example/webhooks", without a user and a password',
  not_https: 'must begin with https://',
  port: 'must be on port 443 or 8443',
  private: 'must be on the public internet: this address is in a private or reserved network',
};

const registrantFields: Readonly<Record<RegistrantRole, readonly [field: string, words: string]>> = {
  email: ['email', 'is required: an e-mail address'],
  firstName: ['first_name', 'is required: the first name of the account holder'],
  lastName: ['last_name', 'is required: the last name of the account holder'],
  phone: ['phone_number', 'is required: a phone number such as "08031234567"'],
  bvn: ['bvn', 'is required for NGN: the 11 digits of a BVN, as a string'],
};

/** Orders have no networks: there, `network` is the product's name. */
function nameOf({ product, network }: { readonly product: string; readonly network: string }): string {
  return `${product}${network === product ? '' : ` for ${network}`}`;
}
