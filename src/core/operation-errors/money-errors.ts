/**
 * Errors of the books, floats, wallets, vouchers and funding. Amounts are in minor units of the
 * wallet's currency. Days are days in Lagos.
 */
import type { Environment } from '../environment.ts';
import { formatAmount } from '../money.ts';
import { conflict, invalid, notFound } from './define-error.ts';

export const moneyErrors = {
  // Closed days.

  day_not_over: conflict('{day} cannot be closed before {closableAt:time}.'),
  /** Days are closed in order. */
  day_out_of_order: conflict('Close {next} before you close {day}.'),
  day_before_first: conflict(
    '{day} is before the first closed day and was closed with it. The next day to close is {next}.',
  ),
  /** `since`: the time up to which the roll-up is complete, which is before the end of the day. */
  day_still_written: conflict(
    '{day} was not closed: its totals are complete only up to {since:time}. Try again.',
    'If this persists, look for an open database transaction.',
  ),
  day_disagrees: conflict(
    '{day} was not closed:',
    '{what} is {sold:amount} {currency} in the reports and {booked:amount} in the ledger.',
    'Audit the books.',
  ),
  day_not_closed: notFound('{day} is not closed in {environment}.'),
  books_incomplete: conflict('The books from {from} to {to} are not complete yet. Try again shortly.'),

  // Floats and reconciliations.

  movement_booked: conflict(
    ({ provider, reference, kind, amount }: BookedMovement) =>
      `The movement ${reference} of ${provider} is booked already, as a ` +
      `${kind === 'top_up' ? 'top-up' : 'charge'} of ${formatAmount(amount)}.`,
  ),
  no_such_bank: invalid('No bank {bank}. Use {known:or}.'),
  naira_missing: invalid('Set naira to what the amount in {currency} cost: the books are kept in naira.'),
  no_such_moment: invalid('The time {at} does not exist.'),
  moment_to_come: invalid('{at} is in the future. Enter the time when the money moved.'),
  no_such_party: invalid('No provider or bank {party}. Use {known:or}.'),
  party_not_configured: conflict('{party} is not configured. Give a statement file instead.'),
  party_list_unavailable: conflict('The list of {party} could not be read: {reason}'),
  no_statement_mapping: invalid("The layout of {party}'s statement files is not known. Give a mapping."),
  /** `faults` is never empty. */
  statement_at_fault: invalid(
    ({ file, faults }: { file: string; faults: readonly string[] }) =>
      `${file} has errors. Nothing was done.\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  ),
  /** Only the command line reads files. */
  no_files_here: invalid('The admin API cannot read files. Send the content of the file as statement.'),
  no_reconciliation: notFound('No reconciliation {run}.'),
  no_finding: notFound('No open finding for order {reference} of {provider}.'),
  finding_of_other_merchant: conflict('The reference of the order names the merchant {merchant}.'),
  finding_not_entered: conflict('The order was not entered: {reason}'),

  // Wallets.

  merchant_has_no_wallet: conflict('{merchant} has no {currency} wallet in {environment}.'),
  /** `served`: the currencies that the environment's banks open accounts in. */
  no_bank_for_currency: conflict(
    'No bank opens {currency} accounts in {environment}. Available: {served:list}.',
  ),
  correction_of_nothing: invalid('amount must not be zero.'),
  memo_malformed: invalid('memo must give the reason, in 1 to {lengthMax} characters of plain text.'),
  wallet_cannot_give: conflict(
    ({ amount, posted, held, floor }: { amount: bigint; posted: bigint; held: bigint; floor: bigint }) =>
      `${formatAmount(amount)} cannot be taken: the balance is ${formatAmount(posted)}, of which ` +
      `${formatAmount(held)} is held for pending purchases, and the floor is ${formatAmount(floor)}. ` +
      `Take at most ${formatAmount(posted - held - floor)}.`,
  ),
  floor_above_balance: conflict(
    ({ floor, posted, held }: { floor: bigint; posted: bigint; held: bigint }) =>
      `The floor cannot be ${formatAmount(floor)}: the balance is ${formatAmount(posted)}, of which ` +
      `${formatAmount(held)} is held for pending purchases. Set at most ${formatAmount(posted - held)}.`,
  ),
  phone_malformed: invalid('phone must be a Nigerian mobile number such as 08031234567.'),
  too_many_lines: conflict('A merchant can have at most {max} lines.'),
  line_exists: conflict('{merchant} already has the line {phone} in {environment}.'),
  no_line: notFound('{merchant} has no line {phone} in {environment}.'),

  // Vouchers.

  no_voucher: notFound('No voucher {voucher}.'),
  no_voucher_issue: notFound('No voucher issue {issue}.'),
  voucher_cancelled: conflict('The voucher is cancelled already.'),
  voucher_redeemed: conflict('Order {reference} redeemed the voucher.'),
  /** The order is not final. */
  voucher_taken: conflict(
    'The pending order {reference} is paid with the voucher. Try again when the order is final.',
  ),
  vouchers_above_balance: conflict(
    ({ merchant, environment, available, count, value }: UnpaidVouchers) =>
      `The wallet of ${merchant} (${environment}) has ${formatAmount(available)} available, and ${count} ` +
      `vouchers of ${formatAmount(value)} take ${formatAmount(value * BigInt(count))}. Nothing was issued.`,
  ),
  voucher_value_malformed: invalid('value must be above zero and at most {max:amount}.'),
  voucher_count_malformed: invalid('count must be a whole number from 1 to {max}.'),

  // Funding.

  no_document: notFound('{merchant} has no document in {environment} that the configured keys can decrypt.'),
  document_malformed: invalid(
    (_: { field: string }) => 'The document must be a JPEG, PNG, WebP or PDF file of at most 5 MB.',
  ),
  no_deposit: notFound('No deposit {deposit}.'),
  deposit_credited: conflict('The deposit {deposit} is credited already.'),
  registrant_too_young: conflict('The account holder must be at least 18 years old.'),
  registrant_email_taken: conflict(
    'Another merchant is registered with this e-mail address. Use another one.',
  ),
  registration_not_taken: conflict('The bank refused the registration: {reason}'),
  funding_not_allowed: conflict(
    'Funding accounts in {currency} are not enabled for you. Contact the operator.',
  ),
  no_bank_for: conflict('No bank of this gateway opens accounts in {currency}.'),
  bank_not_answering: conflict(
    'The bank did not answer. Your registration is stored. Send the request again to continue.',
  ),
  /** The merchants' API, as the gateway reaches it. */
  api_silent: conflict('The API does not answer. Check that the gateway is running.'),
  credential_live: conflict('{keyId} is a live credential and would spend money. Use a test credential.'),
};

type BookedMovement = { provider: string; reference: string; kind: 'top_up' | 'charge'; amount: bigint };

type UnpaidVouchers = {
  merchant: string;
  environment: Environment;
  available: bigint;
  count: number;
  value: bigint;
};
