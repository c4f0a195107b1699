/** Every fault that an operation can be refused for, as the command line says it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationFault, OperationFaults } from '../../src/kernel/operation-fault.ts';
import { faultText } from '../../src/operations/fault-words.ts';

type Cases = {
  readonly [Code in keyof OperationFaults]: readonly [Omit<OperationFault<Code>, 'code'>, string];
};

const shop = { merchant: 'SHOP', environment: 'live' } as const;

const cases: Cases = {
  input_malformed: [
    {
      faults: [
        { field: 'amount', kind: 'missing', wanted: 'an amount' },
        { field: 'environment', kind: 'wrong', wanted: 'test or live' },
        { field: 'memmo', kind: 'unknown', wanted: ['memo', 'key'] },
      ],
    },
    'amount is required: it must be an amount; environment must be test or live; there is no field memmo: there are memo and key',
  ],
  role_lacking: [
    { operation: 'wallet.credit', roles: ['finance', 'admin'] },
    'wallet.credit is open to finance and admin alone',
  ],
  no_operation: [{ operation: 'x.y' }, 'there is no operation "x.y"'],
  no_such_cursor: [{ cursor: 'x' }, 'cursor must be that of the page before: there is no "x"'],
  days_backwards: [
    { from: '2026-11-22', to: '2026-11-21' },
    'the first day, 2026-11-22, is after the last, 2026-11-21',
  ],
  key_used: [
    { operation: 'wallet.credit', key: 'bank-0042' },
    'the key bank-0042 was used for another wallet.credit',
  ],
  day_not_over: [
    { day: '2026-11-21', closableAt: new Date('2026-11-21T23:05:00Z') },
    '2026-11-21 can be closed from 2026-11-22 00:05:00 on, when all of it is stored',
  ],
  day_out_of_order: [
    { day: '2026-11-22', next: '2026-11-21' },
    '2026-11-21 is to be closed before 2026-11-22',
  ],
  day_before_first: [
    { day: '2026-11-01', next: '2026-11-21' },
    '2026-11-01 is older than the first day that was closed, and closed with it; the next is 2026-11-21',
  ],
  day_still_written: [
    { day: '2026-11-21', since: new Date('2026-11-21T22:50:00Z') },
    '2026-11-21 is not closed: what began before its end may still be stored, or is still being added up; added up to 2026-11-21 23:50:00; try again, and see who holds a transaction open if it stays so',
  ],
  day_disagrees: [
    { day: '2026-11-21', what: 'charge', currency: 'NGN', sold: 10_050n, booked: 10_000n },
    '2026-11-21 is not closed: charge is 100.50 NGN by what is added up, and 100.00 by the ledger; run oja audit',
  ],
  day_not_closed: [{ day: '2026-11-21', environment: 'live' }, '2026-11-21 is not closed in live'],
  books_incomplete: [
    { from: '2026-11-01', to: '2026-11-21' },
    'the books of 2026-11-01 to 2026-11-21 are still being added up: try again in a while',
  ],
  no_token: [{ token: 'k3jf9a2c' }, 'there is no token "k3jf9a2c"'],
  token_life_too_long: [{ daysMax: 366 }, 'a token can live for 366 days at most'],
  no_approval: [{ approval: 'a' }, 'nothing with the id a was asked for'],
  approval_over: [{ state: 'expired' }, 'it is too old to be decided: ask for it once more'],
  approval_by_same_person: [
    { principal: 'user:root' },
    'user:root asked for it, and so cannot approve it: a second person must, with a token of an own name',
  ],
  no_task: [{ task: 'a' }, 'there is no long work with the id a'],
  task_running: [{ operation: 'audit.run', task: 'a' }, 'the same audit.run is running already: see a'],
  tasks_full: [{ max: 4 }, '4 pieces of long work are running, and no more do at once: wait for one'],
  no_webhook_endpoint: [{ endpoint: 'x' }, 'there is no webhook endpoint "x"'],
  webhook_endpoints_full: [
    { max: 5 },
    'there are 5 webhook endpoints already, as many as there may be in an environment: delete one first',
  ],
  no_webhook_delivery: [{ delivery: 'x' }, 'there is no delivery "x" to a webhook endpoint'],
  webhook_endpoint_disabled: [
    { endpoint: 'x' },
    'the webhook endpoint x is disabled: nothing is sent to it; see oja webhook enable',
  ],
  times_backwards: [{}, 'the first moment is not before the last'],
  no_user: [{ email: 'a@b.example' }, 'nobody with the address "a@b.example" may sign in here'],
  user_exists: [
    { email: 'a@b.example' },
    '"a@b.example" is here already: give other roles, or a new password',
  ],
  user_suspended: [{ email: 'a@b.example' }, '"a@b.example" is suspended: resume first'],
  email_malformed: [{ email: 'a@b' }, '"a@b" is no e-mail address'],
  last_chief: [{ role: 'admin' }, 'nobody would be left who is admin: make somebody else admin first'],
  no_session: [{ session: '0198' }, 'there is no open session 0198 of this person'],
  no_mail_server: [{}, 'no mail server is set (OJA_SMTP_HOST): ask for the link instead'],
  no_merchant: [{ merchant: 'NOBODY' }, 'there is no merchant "NOBODY"'],
  merchant_exists: [{ merchant: 'SHOP' }, 'there is a merchant "SHOP" already'],
  merchant_code_malformed: [{}, 'code must be 2 to 40 letters, digits, "-" and "_"'],
  merchant_name_malformed: [{ lengthMax: 100 }, 'name must be 1 to 100 characters of plain text'],
  discount_malformed: [
    { basisPointsMax: 10_000 },
    'basis points must be a whole number from 0 to 10000 (100 %)',
  ],
  no_credential: [{ keyId: 'oja_live_x' }, 'there is no credential "oja_live_x"'],
  credential_ended: [{ keyId: 'oja_live_x' }, 'credential "oja_live_x" is no longer valid; issue a new one'],
  label_malformed: [{ lengthMax: 100 }, 'label must be at most 100 characters of plain text'],
  too_many_addresses: [{ max: 100 }, 'at most 100 addresses or networks can be allowed'],
  address_malformed: [{ text: 'here' }, '"here" is not an address or a network such as 10.1.0.0/16'],
  caps_crossed: [
    { perPurchase: 500_000n, perDay: 100_000n },
    'per_purchase, 5000.00, must not be more than per_day, 1000.00',
  ],
  mcp_needs_caps: [
    {},
    'mcp_purchases can be allowed only where per_purchase and per_day are both set: an agent buys under caps alone',
  ],
  rate_malformed: [{ max: 1_000_000 }, 'rate must be a whole number from 0 (no limit) to 1000000'],
  no_such_network: [
    { product: 'airtime', network: 'DSTV', known: ['MTN', 'GLO'] },
    '"DSTV" is no network of airtime: it must be one of MTN, GLO',
  ],
  no_such_provider: [
    { provider: 'x', known: ['sandbox', 'vtpass'] },
    'there is no provider "x"; there are sandbox, vtpass',
  ],
  provider_repeated: [{ provider: 'vtpass' }, 'the provider vtpass is named twice'],
  provider_of_other_environment: [
    { testing: ['sandbox'] },
    'test purchases are served by sandbox, and only they are',
  ],
  not_paused: [{ provider: 'vtpass', place: 'airtime MTN' }, 'vtpass is not paused for airtime MTN'],
  credential_unknown: [
    { provider: 'vtpass', name: 'OJA_X', known: ['OJA_VTPASS_API_KEY', 'OJA_VTPASS_SECRET_KEY'] },
    'vtpass has no setting OJA_X; it has OJA_VTPASS_API_KEY, OJA_VTPASS_SECRET_KEY',
  ],
  credentials_unfit: [
    { provider: 'vtpass', faults: ['OJA_VTPASS_API_KEY is required: a key'] },
    'nothing was stored for vtpass: OJA_VTPASS_API_KEY is required: a key',
  ],
  provider_account_changes: [
    { provider: 'nomba', names: ['OJA_NOMBA_ACCOUNT_ID'] },
    'OJA_NOMBA_ACCOUNT_ID may name another account, which has never heard of the purchases that nomba is still asked about: wait until they are settled; if it is the same account, add --force',
  ],
  credentials_unopened: [
    { provider: 'vtpass' },
    'none of the keys opens the credentials stored for vtpass: see oja key list',
  ],
  no_credentials_before: [{ provider: 'vtpass' }, 'no credentials are stored for vtpass'],
  share_of_stranger: [{ provider: 'nomba' }, 'nomba has a share and is not among the providers of the route'],
  rate_steep: [
    {
      currency: 'USD',
      before: { rate: '1545.25', margin_basis_points: 300 },
      after: { rate: '154.53', margin_basis_points: 300 },
    },
    '1 USD would move by more than 20 %: from 1545.25 naira, margin 3.00 % to 154.53 naira, margin 3.00 %; look again, then add --force',
  ],
  discount_steep: [
    { basisPoints: 9_900, basisPointsMax: 2_000 },
    '99.00 % is more than 20.00 %, more than providers give: the purchases would be sold below cost; look again, then add --force',
  ],
  sells_below_cost: [
    {
      examples: [
        {
          merchant: 'SHOP',
          product: 'airtime',
          network: 'MTN',
          planCode: '',
          provider: 'vtpass',
          currency: 'NGN',
          amount: 100_00n,
          cost: 97_00n,
          charge: 95_00n,
        },
        {
          merchant: undefined,
          product: 'GIFTCARD',
          network: 'GIFTCARD',
          planCode: '300001',
          provider: 'reloadly',
          currency: 'USD',
          amount: 10_00n,
          cost: 15_200_00n,
          charge: 154_50n,
        },
      ],
      more: 4,
    },
    'it would sell below cost: SHOP would pay 95.00 for MTN airtime of 100.00 NGN, for which vtpass took 97.00 at last; ' +
      'a merchant without a discount would pay 154.50 for GIFTCARD 300001 of 10.00 USD, for which reloadly took 15200.00 at last; ' +
      'and 4 more; look again, then add --force',
  ],
  rate_unlikely: [
    { currency: 'USD', rate: '15.45', low: '500.00', high: '5000.00', from: undefined },
    '15.45 naira for 1 USD is not likely: where no other rate is known, it should be 500.00 to 5000.00; look again, then add --force',
  ],
  merchant_has_no_wallet: [{ ...shop, currency: 'USD' }, 'SHOP has no USD wallet in live'],
  no_bank_for_currency: [
    { environment: 'live', currency: 'USD', served: ['NGN'] },
    'no bank opens USD accounts in live: they open NGN',
  ],
  correction_of_nothing: [{}, 'amount must not be zero'],
  memo_malformed: [{ lengthMax: 200 }, 'memo must say why, in 1 to 200 characters of plain text'],
  wallet_cannot_give: [
    { amount: 6_501n, posted: 10_000n, held: 3_000n, floor: 500n },
    'the wallet cannot give 65.01: it has 100.00, of which 30.00 is held for pending vends, and its floor is 5.00; ' +
      'at most 65.00 can be taken',
  ],
  floor_above_balance: [
    { floor: 71n, posted: 100n, held: 30n },
    'the floor cannot be 0.71: the wallet has 1.00, of which 0.30 is held for pending purchases; at most 0.70 can be the floor',
  ],
  phone_malformed: [{}, 'phone must be a Nigerian mobile number such as 08031234567'],
  client_name_malformed: [{ lengthMax: 100 }, 'the client name must be 1 to 100 characters of plain text'],
  too_many_lines: [{ max: 50 }, 'a merchant can have 50 lines at most'],
  line_exists: [{ ...shop, phone: '2348031234567' }, 'SHOP has the line 2348031234567 in live'],
  no_line: [{ ...shop, phone: '2348031234567' }, 'SHOP has no line 2348031234567 in live'],
  no_voucher: [{ voucher: 'v' }, 'there is no voucher v'],
  no_voucher_issue: [{ issue: 'i' }, 'there is no issue of vouchers i'],
  voucher_cancelled: [{}, 'the voucher is cancelled already'],
  voucher_redeemed: [{ reference: 'esim-1' }, 'the voucher was redeemed by order esim-1'],
  voucher_taken: [{ reference: 'esim-1' }, 'order esim-1 has the voucher and is not final: look again later'],
  vouchers_above_balance: [
    { ...shop, available: 100_000n, count: 3, value: 50_000n },
    'the wallet of SHOP (live) has 1000.00 to give, and 3 vouchers of 500.00 take 1500.00',
  ],
  voucher_value_malformed: [{ max: 1_000_000_000n }, 'value must be above zero and at most 10000000.00'],
  voucher_count_malformed: [{ max: 1_000 }, 'count must be a whole number from 1 to 1000'],
  search_incomplete: [
    { until: '2026-11-22T13:38:06.483+01:00' },
    'purchases of before 2026-11-22T13:38:06.483+01:00 are not in the index of the search yet: the job search puts them there; try again later',
  ],
  person_needed: [
    { references: ['a', 'b'], more: 3 },
    'a, b and 3 more of this person are not over: pending, ended less than three days ago, owed goods, to be sent, or with an open alarm',
  ],
  person_archived: [
    { purchases: 2, folders: ['/a/archive-1', '/a/archive-2'] },
    'what providers said of 2 purchases of this person is in archives: bring it back first (./oja archive restore /a/archive-1, ./oja archive restore /a/archive-2), then delete those files',
  ],
  no_document: [
    { merchant: 'SHOP', environment: 'live' },
    'SHOP has no document in live that the present keys open',
  ],
  document_malformed: [
    { field: 'content' },
    'the document must be a JPEG, PNG, WebP or PDF file of at most 5 MB',
  ],
  no_deposit: [{ deposit: 'd' }, 'there is no deposit d'],
  deposit_credited: [{ deposit: 'd' }, 'deposit d is credited already'],
  account_is_nobodys: [
    { account: '6012345678' },
    'no merchant has the account 6012345678: to pay into it all the same, name its provider',
  ],
  no_simulated_bank: [{}, 'only the demo has a simulated bank: this account is at a real one'],
  simulator_silent: [
    { url: 'http://127.0.0.1:1' },
    "the simulator does not answer at http://127.0.0.1:1: is the gateway running? OJA_DATA_DIR, or OJA_SIMULATOR_URL, must be the gateway's",
  ],
  simulator_refuses: [{ errors: ['a', 'b'] }, 'the simulator refuses: a; b'],
  registrant_too_young: [{}, 'the holder of the account must be 18 years old or older'],
  registrant_email_taken: [{}, 'another merchant has registered with this e-mail address: use another one'],
  registration_not_taken: [{ reason: 'no such BVN' }, 'the bank did not take it: no such BVN'],
  funding_not_allowed: [
    { currency: 'USD' },
    'no funding account in USD is allowed: ask whoever runs the gateway',
  ],
  no_bank_for: [{ currency: 'USD' }, 'no bank of this gateway opens accounts in USD'],
  bank_not_answering: [
    {},
    'the bank does not answer yet: what you gave is stored, and asking once more goes on from there',
  ],
  api_silent: [{}, 'the API does not answer: is the gateway running?'],
  credential_live: [
    { keyId: 'oja_live_x' },
    'oja_live_x is a live credential, which spends money: try a test credential',
  ],
  no_fence: [{}, 'the database is not fenced: there is nothing to reconcile or to open'],
  restore_incomplete: [
    { providers: ['vtpass'], left: 2 },
    'it is not open; missing are the lists of vtpass: oja restore reconcile says what to do of each; 2 orders are left to you: oja restore found --verdict left; to open it all the same: --despite-differences --reason',
  ],
  no_found_order: [
    { provider: 'vtpass', reference: 'r' },
    'no order r of vtpass is left to you; see oja restore found',
  ],
  found_order_unassignable: [{ reason: 'why' }, 'it was not entered: why'],
  statement_unreadable: [
    { provider: 'vtpass', faults: ['line 2: no time', 'line 3: no amount'] },
    'the statement of vtpass cannot be read: line 2: no time; line 3: no amount',
  ],
  statement_unmapped: [
    { provider: 'acme' },
    'how statements of acme are laid out is not known: give --mappings acme=FILE',
  ],
  time_ahead: [{}, 'from must be in the past'],
  no_purchase: [{ purchase: 'p' }, 'there is no purchase with the reference or id "p"'],
  purchase_ambiguous: [
    { purchase: 'p', places: [shop, { merchant: 'OTHER', environment: 'test' }] },
    '"p" was used more than once; say which:\n  --merchant SHOP --env live\n  --merchant OTHER --env test',
  ],
  purchase_not_delivered: [{ status: 'failed' }, 'the purchase is failed: only a success has goods'],
  purchase_final: [{ status: 'failed' }, 'the purchase is a failure already'],
  purchase_being_sent: [{}, 'a gateway may be sending it at this moment: try again in two minutes'],
  provider_decided: [
    { provider: 'vtpass', status: 'failed' },
    'vtpass was asked first, and has decided it: the purchase is a failure now, and nothing was settled by hand',
  ],
  provider_says_otherwise: [
    { provider: 'vtpass', said: 'not_found' },
    'vtpass itself said that it never heard of it; where its support takes that back in writing, add --override, which a second person must approve',
  ],
  nobody_can_ask: [
    { provider: 'vtpass' },
    'no gateway that runs can ask vtpass, and it is not configured here',
  ],
  cost_of_nothing: [{}, 'cost is of a success alone: a purchase that failed costs nothing'],
  refund_of_unsuccessful: [
    { status: 'pending' },
    'the purchase is pending, and its money is held: settle it first',
  ],
  nothing_to_refund: [{ refunded: 9_800n }, 'all of it was given back already: 98.00'],
  refund_too_large: [
    { amount: 9_900n, left: 4_800n, paid: 9_800n },
    '99.00 cannot be given back: of 98.00 that were paid, 48.00 are left',
  ],
  no_token_owed: [{}, 'the purchase owes no token'],
  token_there: [{}, 'the purchase has its token already: it is not changed'],
  goods_are_sealed: [{}, 'what it brings is stored sealed, and is added by ./oja order goods'],
  goods_not_sealed: [{}, 'it brings no card, PIN or eSIM; see oja vend goods'],
  goods_there: [{}, 'it has its goods already: they are not changed'],
  order_not_sent: [
    {},
    'it was not sent to a provider, or is to be sent again: nothing can have been delivered',
  ],
  order_failed_finally: [
    {},
    'it failed and its money went back: settle it with the merchant by a correction of the wallet',
  ],
  goods_malformed: [
    { wanted: 'cards', quantity: 2 },
    'the file must have "cards", a list of exactly 2, each with card_number, pin, claim_url or expiry and nothing else',
  ],
  nothing_to_send: [{}, 'this purchase is not to be sent to anybody'],
  order_not_ready: [{}, 'the order is not a success with its goods yet: it is sent when it is'],
  order_failed: [{}, 'the order failed: there is nothing to send'],
  delivery_under_way: [{}, 'it is being sent at this moment'],
  delivery_sent: [{}, 'it was sent already; --again sends it once more'],
  delivery_doubtful: [{}, 'it may have reached the customer; --again sends it all the same'],
  catalog_unreadable: [
    { source: 'cards.csv', why: 'the file is empty' },
    'cannot read cards.csv: the file is empty',
  ],
  catalog_at_fault: [
    { source: 'cards.csv', faults: Array.from({ length: 502 }, (_, line) => `line ${line}: wrong`) },
    [
      'cards.csv is at fault, nothing was applied:',
      ...Array.from({ length: 500 }, (_, line) => `  line ${line}: wrong`),
      '  and 2 more',
    ].join('\n'),
  ],
  provider_has_no_list: [
    { provider: 'nobody' },
    'nobody is not set up here, or has no list of what it sells',
  ],
  provider_says_nothing: [
    { provider: 'vtpass', of: 'dstv' },
    'vtpass does not say now what it sells of dstv: try again',
  ],
  values_unopened: [
    { count: 3 },
    '3 values open with none of the keys and were left as they are: add their key to OJA_ENCRYPTION_KEYS_OLD and run it again (oja key list names the keys)',
  ],
  movement_booked: [
    { provider: 'vtpass', reference: 'f1', kind: 'top_up', amount: 500_000n },
    'the movement f1 of vtpass is booked already, as a top-up of 5000.00',
  ],
  no_such_bank: [
    { bank: 'gtb', known: ['monnify', 'paystack'] },
    'there is no bank gtb: it must be monnify or paystack',
  ],
  naira_missing: [
    { currency: 'USD' },
    'say with --naira what the amount in USD cost in naira: the books are in naira',
  ],
  no_such_moment: [{ at: '2026-02-30T12:00:00Z' }, 'there is no time 2026-02-30T12:00:00Z'],
  moment_to_come: [
    { at: '2126-01-01T00:00:00Z' },
    '2126-01-01T00:00:00Z is still to come: say when it moved',
  ],
  no_such_party: [
    { party: 'x', known: ['monnify', 'vtpass'] },
    'there is no provider or bank x: it must be monnify or vtpass',
  ],
  party_not_configured: [
    { party: 'vtpass' },
    'vtpass is not set up here, and so cannot be asked: give its statement file',
  ],
  party_list_unavailable: [
    { party: 'nomba', reason: 'HTTP 500' },
    'the list of nomba cannot be read now: HTTP 500',
  ],
  no_statement_mapping: [
    { party: 'reloadly' },
    "no layout of reloadly's statement files is known: say how they are read with --mapping",
  ],
  statement_at_fault: [
    { file: 'may.csv', faults: ['line 2: a', 'line 3: b'] },
    'may.csv is at fault, nothing was done:\n  line 2: a\n  line 3: b',
  ],
  no_files_here: [{}, 'a file is read where the command runs: here its content is given as statement'],
  reconciliation_archived: [
    { folders: ['/a/archive-1'] },
    'it needs attempts that are in archives, and would take their orders for unknown: bring them back first (./oja archive restore /a/archive-1)',
  ],
  no_reconciliation: [{ run: 'x' }, 'there is no reconciliation x'],
  no_alarm: [{ alarm: 7n }, 'there is no alarm 7'],
};

for (const [code, [facts, text]] of Object.entries(cases)) {
  test(`the command line says: ${code}`, () => {
    assert.equal(faultText({ code, ...facts } as OperationFault), text);
  });
}
