/**
 * What an operation is refused for, as a sentence on either edge. The compiler keeps the table
 * complete.
 */

import { formatLocal } from '../../core/clock.ts';
import { listWords } from '../../core/list-words.ts';
import { formatAmount, formatPercent } from '../../core/money.ts';
import type { InputFault, OperationFault, OperationFaults } from '../../core/operation-fault.ts';
import type { OwedGoods } from '../../core/products/product-record.ts';

function rateText({
  rate,
  margin_basis_points: margin,
}: OperationFault<'rate_change_large'>['before']): string {
  return `${rate} naira, margin ${formatPercent(margin)}`;
}

function lossText(sale: OperationFault<'sells_below_cost'>['examples'][number]): string {
  const { merchant, product, network, planCode, provider, currency, amount, cost, charge } = sale;
  const what = [network === product ? '' : network, product, planCode]
    .filter((word) => word !== '')
    .join(' ');
  const who = merchant ?? 'a merchant without a discount';
  return (
    `${who} would pay ${formatAmount(charge)} for ${what} of ${formatAmount(amount)} ${currency}, ` +
    `for which ${provider} took ${formatAmount(cost)} at last`
  );
}
const FAULTS_TOLD_MAX = 500;

/** What a file of goods must have, by what is owed. */
const goodsForms: Readonly<Record<OwedGoods, (quantity: number) => string>> = {
  token: () => 'a token of 20 digits',
  cards: (quantity) =>
    `"cards", a list of exactly ${quantity}, each with card_number, pin, claim_url or expiry and nothing else`,
  pins: (quantity) => `"pins", a list of exactly ${quantity}, each with pin and, where there is one, serial`,
  iccid: () => '"iccid", 18 to 22 digits, and "lpa", such as LPA:1$smdp.example.com$CODE',
};

const providerSaid: Readonly<Record<OperationFault<'provider_says_otherwise'>['said'], string>> = {
  success: 'said that it delivered',
  failed: 'said that it failed',
  not_found: 'said that it never heard of it',
};

function endOf(status: 'success' | 'failed'): string {
  return status === 'success' ? 'success' : 'failure';
}

type Words = { readonly [Code in keyof OperationFaults]: (fault: OperationFault<Code>) => string };

const inputWords: { readonly [Kind in InputFault['kind']]: (fault: InputFault & { kind: Kind }) => string } =
  {
    missing: ({ field, wanted }) => `${field} is required: it must be ${wanted}`,
    wrong: ({ field, wanted }) => `${field} must be ${wanted}`,
    unknown: ({ field, wanted }) => `there is no field ${field}: there are ${listWords(wanted, 'and')}`,
  };

function inputFaultText<Kind extends InputFault['kind']>(fault: InputFault & { kind: Kind }): string {
  const word: (typeof inputWords)[Kind] = inputWords[fault.kind];
  return word(fault);
}

const words: Words = {
  input_malformed: ({ faults }) => faults.map((fault) => inputFaultText(fault)).join('; '),
  role_lacking: ({ operation, roles }) =>
    roles.length === 0
      ? `${operation} is not open to you`
      : `${operation} is open to ${listWords(roles, 'and')} alone`,
  no_operation: ({ operation }) => `there is no operation "${operation}"`,
  no_such_cursor: ({ cursor }) => `cursor must be that of the page before: there is no "${cursor}"`,
  days_backwards: ({ from, to }) => `the first day, ${from}, is after the last, ${to}`,
  key_used: ({ operation, key }) => `the key ${key} was used for another ${operation}`,

  day_not_over: ({ day, closableAt }) =>
    `${day} can be closed from ${formatLocal(closableAt)} on, when all of it is stored`,
  day_out_of_order: ({ day, next }) => `${next} is to be closed before ${day}`,
  day_before_first: ({ day, next }) =>
    `${day} is older than the first day that was closed, and closed with it; the next is ${next}`,
  day_still_written: ({ day, since }) =>
    `${day} is not closed: a transaction may still store something of it, or it is not rolled up yet. ` +
    `Complete up to ${formatLocal(since)}. Try again; if it stays so, look for an open transaction.`,
  day_disagrees: ({ day, what, currency, sold, booked }) =>
    `${day} is not closed: ${what} is ${formatAmount(sold)} ${currency} in the reports, and ` +
    `${formatAmount(booked)} by the ledger; run oja audit`,
  day_not_closed: ({ day, environment }) => `${day} is not closed in ${environment}`,
  books_incomplete: ({ from, to }) => `the books of ${from} to ${to} are not complete yet: try again shortly`,

  no_token: ({ token }) => `there is no token "${token}"`,
  token_life_too_long: ({ daysMax }) => `a token can live for ${daysMax} days at most`,
  no_approval: ({ approval }) => `nothing with the id ${approval} was asked for`,
  approval_over: ({ state }) =>
    state === 'expired' ? 'it is too old to be decided: ask for it once more' : `it is ${state} already`,
  second_person_needed: ({ operation }) =>
    `this gives away more than one person may: run ${operation} by itself, and have it approved`,
  approval_by_same_person: ({ principal }) =>
    `${principal} requested it, so you cannot approve it: a second person must, whom neither of you ` +
    'invited, reset or gave a role or a token',

  no_task: ({ task }) => `there is no long work with the id ${task}`,
  task_running: ({ operation, task }) => `the same ${operation} is running already: see ${task}`,
  tasks_full: ({ max }) => `${max} pieces of long work are running, and no more do at once: wait for one`,

  no_user: ({ email }) => `nobody with the address "${email}" may sign in here`,
  user_exists: ({ email }) => `"${email}" is here already: give other roles, or a new password`,
  user_suspended: ({ email }) => `"${email}" is suspended: resume first`,
  email_malformed: ({ email }) => `"${email}" is no e-mail address`,
  last_chief: ({ role }) => `nobody would be left who is ${role}: make somebody else ${role} first`,
  no_session: ({ session }) => `there is no open session ${session} of this person`,
  no_mail_server: () => 'no mail server is set (OJA_SMTP_URL): ask for the link instead',
  no_merchant: ({ merchant }) => `there is no merchant "${merchant}"`,
  merchant_exists: ({ merchant }) => `there is a merchant "${merchant}" already`,
  merchant_code_malformed: () => 'code must be 2 to 40 letters, digits, "-" and "_"',
  merchant_name_malformed: ({ lengthMax }) => `name must be 1 to ${lengthMax} characters of plain text`,
  discount_malformed: ({ basisPointsMax }) =>
    `basis points must be a whole number from 0 to ${basisPointsMax} (100 %)`,
  no_webhook_endpoint: ({ endpoint }) => `there is no webhook endpoint "${endpoint}"`,
  webhook_endpoint_disabled: ({ endpoint }) =>
    `the webhook endpoint ${endpoint} is disabled: nothing is sent to it; see oja webhook enable`,
  webhook_endpoints_full: ({ max }) =>
    `there are ${max} webhook endpoints already, as many as there may be in an environment: delete one first`,
  no_webhook_delivery: ({ delivery }) => `there is no delivery "${delivery}" to a webhook endpoint`,
  times_backwards: () => 'the first moment is not before the last',
  no_credential: ({ keyId }) => `there is no credential "${keyId}"`,
  too_many_credentials: ({ max, environment }) =>
    `The merchant already has ${max} active ${environment} credentials. Revoke one first.`,
  credential_ended: ({ keyId }) => `credential "${keyId}" is no longer valid; issue a new one`,
  label_malformed: ({ lengthMax }) => `label must be at most ${lengthMax} characters of plain text`,
  too_many_addresses: ({ max }) => `at most ${max} addresses or networks can be allowed`,
  address_malformed: ({ text }) => `"${text}" is not an address or a network such as 10.1.0.0/16`,
  rate_malformed: ({ max }) => `rate must be a whole number from 0 (no limit) to ${max}`,

  caps_crossed: ({ perPurchase, perDay }) =>
    `per_purchase, ${formatAmount(perPurchase)}, must not be more than per_day, ${formatAmount(perDay)}`,
  mcp_needs_caps: () =>
    'mcp_purchases can be allowed only where per_purchase and per_day are both set: an agent buys under caps alone',

  no_such_network: ({ product, network, known }) =>
    `"${network}" is no network of ${product}: it must be one of ${known.join(', ')}`,
  no_such_provider: ({ provider, known }) =>
    `there is no provider "${provider}"; there are ${known.join(', ')}`,
  provider_repeated: ({ provider }) => `the provider ${provider} is named twice`,
  provider_of_other_environment: ({ testing }) =>
    `test purchases are served by ${testing.join(', ')}, and only they are`,

  not_paused: ({ provider, place }) => `${provider} is not paused for ${place}`,
  credential_unknown: ({ provider, name, known }) =>
    known.length === 0
      ? `${provider} has no settings that can be stored here`
      : `${provider} has no setting ${name}; it has ${known.join(', ')}`,
  credentials_unfit: ({ provider, faults }) => `nothing was stored for ${provider}: ${faults.join('; ')}`,
  provider_account_changes: ({ provider, names }) =>
    `${listWords(names, 'and')} may name another account, which has never heard of the purchases that ` +
    `${provider} is still asked about: wait until they are settled; if it is the same account, add --force`,
  credentials_unopened: ({ provider }) =>
    `none of the keys opens the credentials stored for ${provider}: see oja key list`,
  no_credentials_before: ({ provider }) => `no credentials are stored for ${provider}`,
  share_of_stranger: ({ provider }) => `${provider} has a share and is not among the providers of the route`,

  rate_change_large: ({ currency, before, after }) =>
    `1 ${currency} would move by more than 20 %: from ${rateText(before)} to ${rateText(after)}; ` +
    'look again, then add --force',
  discount_change_large: ({ basisPoints, basisPointsMax }) =>
    `${formatPercent(basisPoints)} is more than ${formatPercent(basisPointsMax)}, more than providers give: ` +
    'the purchases would be sold below cost; look again, then add --force',
  sells_below_cost: ({ examples, more }) =>
    `it would sell below cost: ${examples.map(lossText).join('; ')}` +
    `${more > 0 ? `; and ${more} more` : ''}; look again, then add --force`,
  rate_unlikely: ({ currency, rate, low, high, from }) =>
    `${rate} naira for 1 ${currency} is not likely: ` +
    (from === undefined
      ? `where no other rate is known, it should be ${low} to ${high}`
      : `by the rate of ${from} it should be ${low} to ${high}`) +
    '; look again, then add --force',

  merchant_has_no_wallet: ({ merchant, environment, currency }) =>
    `${merchant} has no ${currency} wallet in ${environment}`,
  no_bank_for_currency: ({ environment, currency, served }) =>
    `no bank opens ${currency} accounts in ${environment}: they open ${served.join(', ') || 'none'}`,
  correction_of_nothing: () => 'amount must not be zero',
  memo_malformed: ({ lengthMax }) => `memo must say why, in 1 to ${lengthMax} characters of plain text`,
  wallet_cannot_give: ({ amount, posted, held, floor }) =>
    `the wallet cannot give ${formatAmount(amount)}: it has ${formatAmount(posted)}, of which ` +
    `${formatAmount(held)} is held for pending purchases, and its floor is ${formatAmount(floor)}; ` +
    `at most ${formatAmount(posted - held - floor)} can be taken`,
  floor_above_balance: ({ floor, posted, held }) =>
    `the floor cannot be ${formatAmount(floor)}: the wallet has ${formatAmount(posted)}, of which ` +
    `${formatAmount(held)} is held for pending purchases; at most ${formatAmount(posted - held)} ` +
    'can be the floor',
  phone_malformed: () => 'phone must be a Nigerian mobile number such as 08031234567',
  client_name_malformed: ({ lengthMax }) =>
    `the client name must be 1 to ${lengthMax} characters of plain text`,
  too_many_lines: ({ max }) => `a merchant can have ${max} lines at most`,
  line_exists: ({ merchant, environment, phone }) => `${merchant} has the line ${phone} in ${environment}`,
  no_line: ({ merchant, environment, phone }) => `${merchant} has no line ${phone} in ${environment}`,

  no_voucher: ({ voucher }) => `there is no voucher ${voucher}`,
  no_voucher_issue: ({ issue }) => `there is no issue of vouchers ${issue}`,
  voucher_cancelled: () => 'the voucher is cancelled already',
  voucher_redeemed: ({ reference }) => `the voucher was redeemed by order ${reference}`,
  voucher_taken: ({ reference }) => `order ${reference} has the voucher and is not final: look again later`,
  vouchers_above_balance: ({ merchant, environment, available, count, value }) =>
    `the wallet of ${merchant} (${environment}) has ${formatAmount(available)} to give, and ${count} vouchers of ` +
    `${formatAmount(value)} take ${formatAmount(value * BigInt(count))}`,
  voucher_value_malformed: ({ max }) => `value must be above zero and at most ${formatAmount(max)}`,
  voucher_count_malformed: ({ max }) => `count must be a whole number from 1 to ${max}`,

  search_incomplete: ({ until }) =>
    `purchases of before ${until} are not in the index of the search yet: the job search puts them there; try again later`,
  person_needed: ({ references, more }) =>
    `${references.join(', ')}${more > 0 ? ` and ${more} more` : ''} of this person are not over: pending, ended less than three days ago, owed goods, to be sent, or with an open alarm`,
  no_document: ({ merchant, environment }) =>
    `${merchant} has no document in ${environment} that the present keys open`,
  document_malformed: () => 'the document must be a JPEG, PNG, WebP or PDF file of at most 5 MB',
  no_deposit: ({ deposit }) => `there is no deposit ${deposit}`,
  deposit_credited: ({ deposit }) => `deposit ${deposit} is credited already`,
  registrant_too_young: () => 'the holder of the account must be 18 years old or older',
  registrant_email_taken: () => 'another merchant has registered with this e-mail address: use another one',
  registration_not_taken: ({ reason }) => `the bank did not take it: ${reason}`,
  funding_not_allowed: ({ currency }) =>
    `no funding account in ${currency} is allowed: ask whoever runs the gateway`,
  no_bank_for: ({ currency }) => `no bank of this gateway opens accounts in ${currency}`,
  bank_not_answering: () =>
    'the bank does not answer yet: what you gave is stored, and asking once more goes on from there',
  api_silent: () => 'the API does not answer: is the gateway running?',
  credential_live: ({ keyId }) => `${keyId} is a live credential, which spends money: try a test credential`,

  no_fence: () => 'the database is not fenced: there is nothing to open',
  restore_incomplete: ({ providers, open }) =>
    [
      'it is not open',
      ...(providers.length > 0
        ? [`lists of the lost time are missing: ${listWords(providers, 'and')} (oja reconcile)`]
        : []),
      ...(open > 0 ? [`orders that are not known here: ${open} (oja finding list --verdict open)`] : []),
      'to open it all the same: --despite-differences --reason',
    ].join('; '),
  time_ahead: () => 'from must be in the past',
  no_purchase: ({ purchase }) => `there is no purchase with the reference or id "${purchase}"`,
  purchase_ambiguous: ({ purchase, places }) =>
    `"${purchase}" was used more than once; say which:\n` +
    places.map(({ merchant, environment }) => `  --merchant ${merchant} --env ${environment}`).join('\n'),
  purchase_not_delivered: ({ status }) => `the purchase is ${status}: only a success has goods`,
  purchase_final: ({ status }) => `the purchase is a ${endOf(status)} already`,
  purchase_being_sent: () => 'a gateway may be sending it at this moment: try again in two minutes',
  provider_decided: ({ provider, status }) =>
    `${provider} was asked first, and has decided it: the purchase is a ${endOf(status)} now, and nothing was settled by hand`,
  provider_says_otherwise: ({ provider, said }) =>
    `${provider} itself ${providerSaid[said]}; where its support takes that back in writing, add --override, ` +
    'which a second person must approve',
  nobody_can_ask: ({ provider }) => `no gateway that runs can ask ${provider}, and it is not configured here`,
  cost_of_nothing: () => 'cost is of a success alone: a purchase that failed costs nothing',
  refund_of_unsuccessful: ({ status }) =>
    status === 'pending'
      ? 'the purchase is pending, and its money is held: settle it first'
      : 'the purchase failed, and its money went back then',
  nothing_to_refund: ({ refunded }) =>
    refunded === 0n
      ? 'nothing was paid for it'
      : `all of it was given back already: ${formatAmount(refunded)}`,
  refund_too_large: ({ amount, left, paid }) =>
    `${formatAmount(amount)} cannot be given back: of ${formatAmount(paid)} that were paid, ${formatAmount(left)} are left`,
  no_token_owed: () => 'the purchase owes no token',
  token_there: () => 'the purchase has its token already: it is not changed',
  goods_are_sealed: () => 'what it brings is stored sealed, and is added by ./oja order goods',
  goods_not_sealed: () => 'it brings no card, PIN or eSIM; see oja purchase goods',
  goods_there: () => 'it has its goods already: they are not changed',
  order_not_sent: () =>
    'it was not sent to a provider, or is to be sent again: nothing can have been delivered',
  order_failed_finally: () =>
    'it failed and its money went back: settle it with the merchant by a correction of the wallet',
  goods_malformed: ({ wanted, quantity }) => `the file must have ${goodsForms[wanted](quantity)}`,
  nothing_to_send: () => 'this purchase is not to be sent to anybody',
  order_not_ready: () => 'the order is not a success with its goods yet: it is sent when it is',
  order_failed: () => 'the order failed: there is nothing to send',
  delivery_under_way: () => 'it is being sent at this moment',
  delivery_sent: () => 'it was sent already; --again sends it once more',
  delivery_doubtful: () => 'it may have reached the customer; --again sends it all the same',

  catalog_unreadable: ({ source, why }) => `cannot read ${source}: ${why}`,
  catalog_at_fault: ({ source, faults }) => {
    const rows = faults.slice(0, FAULTS_TOLD_MAX).map((fault) => `  ${fault}`);
    if (faults.length > FAULTS_TOLD_MAX) rows.push(`  and ${faults.length - FAULTS_TOLD_MAX} more`);
    return `${source} is at fault, nothing was applied:\n${rows.join('\n')}`;
  },
  provider_has_no_list: ({ provider }) => `${provider} is not set up here, or has no list of what it sells`,
  provider_says_nothing: ({ provider, of }) =>
    `${provider} does not say now what it sells of ${of}: try again`,

  movement_booked: ({ provider, reference, kind, amount }) =>
    `the movement ${reference} of ${provider} is booked already, as a ${kind === 'top_up' ? 'top-up' : 'charge'} of ${formatAmount(amount)}`,
  no_such_bank: ({ bank, known }) => `there is no bank ${bank}: it must be ${listWords(known, 'or')}`,
  naira_missing: ({ currency }) =>
    `say with --naira what the amount in ${currency} cost in naira: the books are in naira`,
  no_such_moment: ({ at }) => `there is no time ${at}`,
  moment_to_come: ({ at }) => `${at} is still to come: say when it moved`,
  no_such_party: ({ party, known }) =>
    `there is no provider or bank ${party}: it must be ${listWords(known, 'or')}`,
  party_not_configured: ({ party }) =>
    `${party} is not set up here, and so cannot be asked: give its statement file`,
  party_list_unavailable: ({ party, reason }) => `the list of ${party} cannot be read now: ${reason}`,
  no_statement_mapping: ({ party }) =>
    `no layout of ${party}'s statement files is known: say how they are read with --mapping`,
  statement_at_fault: ({ file, faults }) =>
    `${file} is at fault, nothing was done:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  no_files_here: () => 'a file is read where the command runs: here its content is given as statement',
  no_reconciliation: ({ run }) => `there is no reconciliation ${run}`,
  no_finding: ({ provider, reference }) =>
    `no order ${reference} of ${provider} is open; see oja finding list`,
  finding_not_entered: ({ reason }) => `the order was not entered: ${reason}`,

  values_unopened: ({ count }) =>
    `${count} values open with none of the keys and were left as they are: add their key to ` +
    'OJA_ENCRYPTION_KEYS_OLD and run it again (oja key list names the keys)',
  no_alarm: ({ alarm }) => `there is no alarm ${alarm}`,
};

export function faultText<Code extends keyof OperationFaults>(fault: OperationFault<Code>): string {
  const word: Words[Code] = words[fault.code];
  return word(fault);
}

export type FieldFault = { readonly field: string; readonly message: string };

/** What is wrong with each field, where the fault is of fields. */
export function fieldFaults(fault: OperationFault): FieldFault[] {
  if (fault.code === 'document_malformed') return [{ field: fault.field, message: faultText(fault) }];
  if (fault.code !== 'input_malformed') return [];
  return fault.faults.map((one) => ({ field: one.field, message: inputFaultText(one) }));
}
