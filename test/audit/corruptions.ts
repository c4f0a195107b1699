/**
 * Corruptions of the database of fixture.ts, with the exact set of checks that must report each. In
 * the SQL, `$shop` is the merchant, `$wallet` its live wallet, and `$delivered` and the like the
 * purchase in that state.
 */
const newest = '(w.wallet_id, w.seq) in (select wallet_id, max(seq) from wallet_states group by wallet_id)';

const unanswered =
  'attempt = null, answer_source = null, answer_kind = null, answer_code = null, answer_message = null';

export const corruptions: readonly {
  readonly what: string;
  readonly red: readonly string[];
  readonly sql: string;
}[] = [
  {
    what: 'a wallet with a kobo that no transfer moved',
    red: ['books-balance', 'wallet-posted'],
    sql: `update wallet_states w set posted = posted + 1 where ${newest} and w.wallet_id = (select account_id from wallet_owners where environment = 'live')`,
  },
  {
    what: 'a transfer that never reached the balances',
    red: ['house-balance', 'success-paid', 'wallet-posted'],
    sql: `
      insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount)
      select merchant_id, subject_id, 'purchase_loss', debit_account_id, credit_account_id, 1
      from transfers
      where code = 'purchase_cost'
      limit 1`,
  },
  {
    what: 'a hold that belongs to no pending purchase',
    red: ['wallet-held'],
    sql: `update wallet_states w set held = held + 1 where ${newest} and w.wallet_id = (select account_id from wallet_owners where environment = 'live')`,
  },
  {
    what: 'a wallet under its floor',
    red: ['wallet-floor'],
    sql: `
      alter table wallet_states drop constraint wallets_above_floor;
      update wallet_states w set floor = posted - held + 1 where ${newest} and w.wallet_id = (select account_id from wallet_owners where environment = 'live')`,
  },
  {
    what: 'a hold below nothing',
    red: ['wallet-floor', 'wallet-held'],
    sql: `
      alter table wallet_states drop constraint wallets_held_positive;
      update wallet_states w set held = -1 where ${newest} and w.wallet_id = (select account_id from wallet_owners where environment = 'test')`,
  },
  {
    what: 'a lost delta of a house account',
    red: ['books-balance', 'house-balance'],
    sql: 'delete from house_deltas where id = (select max(id) from house_deltas)',
  },
  {
    what: 'a checkpoint that is off',
    red: ['books-balance', 'house-balance'],
    sql: 'update house_balances set balance = balance - 1 where account_id = (select min(account_id) from house_balances)',
  },
  {
    what: 'a wallet that is counted as a house account too',
    red: ['books-balance', 'house-balance'],
    sql: 'insert into house_deltas (account_id, delta) select min(account_id), 5 from wallets',
  },
  {
    what: 'a transfer from one environment into the other',
    red: ['house-balance', 'transfer-accounts'],
    sql: `
      update transfers
      set credit_account_id = (select id from accounts where code = 'float:sandbox:test:NGN')
      where code = 'purchase_cost'`,
  },
  {
    what: "a transfer with another merchant's wallet",
    red: ['transfer-accounts'],
    sql: "update transfers set merchant_id = 77 where code = 'correction'",
  },
  {
    what: 'a correction without a known author',
    red: ['audit-log-chain', 'transfer-subjects'],
    sql: "alter table audit_log disable trigger user; delete from audit_log where action = 'wallet.credit'",
  },
  {
    what: 'an entry of the audit log that says somebody else',
    red: ['audit-log-chain'],
    sql: "alter table audit_log disable trigger user; update audit_log set actor = 'eve' where action = 'wallet.credit'",
  },
  {
    what: 'an entry of the audit log that was put between',
    red: ['audit-log-entries'],
    sql: "insert into audit_log (actor, action, subject) values ('eve', 'wallet.credit', 'nothing')",
  },
  {
    what: 'an audit log whose end was cut off after an audit',
    red: ['audit-log-end'],
    sql: `
      insert into audit_log (actor, action, subject) values ('eve', 'purchase.reveal_goods', 'nothing');
      select append_to_audit_chain(a) from audit_log a where a.actor = 'eve';
      insert into audit_runs (started_at, failed, audit_log)
      select now(), '{}', json_build_object('position', position::text, 'entryId', entry_id::text, 'hash', encode(hash, 'hex'))
      from audit_log_chain
      order by position desc
      limit 1;
      alter table audit_log disable trigger user;
      alter table audit_log_chain disable trigger user;
      delete from audit_log_chain where position = (select max(position) from audit_log_chain);
      delete from audit_log where actor = 'eve'`,
  },
  {
    what: 'a transfer for a reason the chart does not know',
    red: ['transfer-subjects'],
    sql: "update transfers set code = 'gift' where code = 'correction'",
  },
  {
    what: 'a success whose margin was booked for a reason the chart does not know',
    red: ['success-paid', 'transfer-subjects'],
    sql: "update transfers set code = 'gift' where code = 'purchase_margin'",
  },
  {
    what: 'a success whose cost went to no provider',
    red: ['house-balance', 'success-paid'],
    sql: `
      update transfers
      set credit_account_id = (select id from accounts where code = 'corrections:live:NGN')
      where code = 'purchase_cost'`,
  },
  {
    what: 'a transfer that took the margin twice',
    red: ['house-balance', 'success-paid', 'wallet-posted'],
    sql: "update transfers set amount = 2 * amount where code = 'purchase_margin'",
  },
  {
    what: 'a wallet without a state',
    red: ['books-balance', 'wallet-state'],
    sql: `delete from wallet_states w where w.wallet_id = (select account_id from wallet_owners where environment = 'live')`,
  },
  {
    what: 'a wallet that says another currency than its account',
    red: ['wallet-owner'],
    sql: "update wallet_owners set currency = 'USD' where environment = 'test'",
  },
  {
    what: 'a success that was paid for only in part',
    red: ['house-balance', 'success-paid', 'wallet-posted'],
    sql: "update transfers set amount = amount - 1 where code = 'purchase_margin'",
  },
  {
    what: 'a success whose provider is owed something else',
    red: ['success-paid'],
    sql: "update purchase_outcomes set cost = cost + 1 where status = 'success'",
  },
  {
    what: 'a success without a cost',
    red: ['refund-limits', 'success-paid'],
    sql: "update purchase_outcomes set cost = null where status = 'success'",
  },
  {
    what: 'a failed purchase that was paid for',
    red: ['success-paid', 'unsuccessful-free'],
    sql: `
      update transfers
      set subject_id = '$refused'
      where subject_id = '$delivered'`,
  },
  {
    what: 'a pending purchase that is lost',
    red: ['pending-count', 'purchase-state'],
    sql: `
      update wallet_states w set held = w.held - p.charge from pending_purchases p where p.purchase_id = '$sending' and p.wallet_id = w.wallet_id and ${newest};
      delete from pending_purchases where purchase_id = '$sending'`,
  },
  {
    what: 'a purchase that is final and pending',
    red: ['pending-count', 'purchase-state'],
    sql: `
      insert into pending_purchases (merchant_id, environment, purchase_id, wallet_id, charge, step, due_at, attempts, provider, network, recipient)
      select merchant_id, environment, id, wallet_id, charge, 'query', now(), 1, 'sandbox', network, recipient from purchases where id = '$delivered';
      update wallet_states w set held = w.held + v.charge from purchases v where v.id = '$delivered' and w.wallet_id = v.wallet_id and ${newest}`,
  },
  {
    what: 'an outcome that got lost',
    red: ['pending-count', 'unsuccessful-free', 'purchase-counts', 'purchase-state'],
    sql: "delete from purchase_outcomes where purchase_id = '$delivered'",
  },
  {
    what: 'two purchases with one reference',
    red: ['purchase-reference'],
    sql: `
      drop index purchases_reference_key;
      update purchases set reference = 'r-delivered' where id = '$refused'`,
  },
  {
    what: 'two attempts with one reference at a provider',
    red: ['attempt-reference'],
    sql: "update purchases set attempt_reference = 'ref-delivered-1' where attempt_reference = 'ref-refused-1'",
  },
  {
    what: 'two attempts of one purchase with one reference at a provider',
    red: ['attempt-reference'],
    sql: `
      insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
      values ($shop, '$refused', 2, 'sandbox', 'ref-refused-1', 'corrupted')`,
  },
  {
    what: 'a first attempt that is stored twice',
    red: ['attempt-numbers'],
    sql: `
      insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
      values ($shop, '$refused', 1, 'sandbox', 'ref-twice', 'corrupted')`,
  },
  {
    what: 'a gap in the attempts of a purchase',
    red: ['attempt-numbers', 'orphans'],
    sql: `
      insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
      select merchant_id, id, 2, 'sandbox', attempt_reference, 'corrupted' from purchases where id = '$refused';
      update purchases set attempt_reference = null where id = '$refused'`,
  },
  {
    what: 'an attempt for a purchase that could not pay',
    red: ['attempt-numbers'],
    sql: `
      insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
      values ($shop, '$insufficient', 1, 'sandbox', 'x', 'corrupted')`,
  },
  {
    what: 'an attempt for a bill whose customer was rejected',
    red: ['attempt-numbers'],
    sql: `
      insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
      values ($shop, '$rejected', 1, 'sandbox', 'x', 'corrupted')`,
  },
  {
    what: 'goods that are owed for a failed purchase',
    red: ['late-goods'],
    sql: "insert into pending_fulfilments (merchant_id, environment, purchase_id, due_at) values ($shop, 'live', '$refused', now())",
  },
  {
    what: 'an order that failed and is to be sent',
    red: ['deliveries'],
    sql: `
      insert into deliveries (merchant_id, environment, purchase_id, channel, destination, hint, state, due_at)
      values ($shop, 'live', '$refused', 'sms', '', '', 'due', now())`,
  },
  {
    what: 'a delivered order that will not be sent',
    red: ['deliveries'],
    sql: `
      insert into deliveries (merchant_id, environment, purchase_id, channel, destination, hint)
      values ($shop, 'live', '$delivered', 'sms', '', '')`,
  },
  {
    what: 'an order that was sent before its goods came',
    red: ['deliveries'],
    sql: `
      insert into deliveries (merchant_id, environment, purchase_id, channel, destination, hint, state)
      values ($shop, 'live', '$tokenless', 'sms', '', '', 'sent')`,
  },
  {
    what: 'the sending of an order that is not there',
    red: ['deliveries'],
    sql: `
      insert into deliveries (merchant_id, environment, purchase_id, channel, destination, hint)
      values ($shop, 'live', gen_random_uuid(), 'sms', '', '')`,
  },
  {
    what: 'goods that came late for a purchase that is not final',
    red: ['late-goods'],
    sql: "insert into purchase_goods (merchant_id, purchase_id, goods) values ($shop, '$unknown', '{}')",
  },
  {
    what: 'goods that came and are still asked for',
    red: ['late-goods'],
    sql: "insert into purchase_goods (merchant_id, purchase_id, goods) values ($shop, '$tokenless', '{}')",
  },
  {
    what: 'sealed goods of a purchase that is no order',
    red: ['sealed-goods'],
    sql: "insert into sealed_goods (merchant_id, purchase_id, key_id, sealed) values ($shop, '$delivered', 'k', 'k:')",
  },
  {
    what: 'sealed goods of a purchase that is not there',
    red: ['sealed-goods'],
    sql: "insert into sealed_goods (merchant_id, purchase_id, key_id, sealed) values ($shop, gen_random_uuid(), 'k', 'k:')",
  },
  {
    what: 'a pending purchase that forgot its attempt',
    red: ['pending-step'],
    sql: "update pending_purchases set attempts = 0, step = 'send' where purchase_id = '$unknown'",
  },
  {
    what: 'a pending purchase that would be sent again without proof',
    red: ['pending-step'],
    sql: "update pending_purchases set step = 'send' where purchase_id = '$unknown'",
  },
  {
    what: 'a pending purchase to be queried that was never sent',
    red: ['pending-step'],
    sql: "update pending_purchases set step = 'query' where purchase_id = '$sending'",
  },
  {
    what: 'a pending purchase that is never due',
    red: ['pending-step'],
    sql: "update pending_purchases set due_at = null where purchase_id = '$unknown'",
  },
  {
    what: 'a pending purchase that holds another amount than it charges',
    red: ['pending-hold'],
    sql: `
      update wallet_states w set held = w.held + 1 from pending_purchases p where p.purchase_id = '$unknown' and p.wallet_id = w.wallet_id and ${newest};
      update pending_purchases set charge = charge + 1 where purchase_id = '$unknown'`,
  },
  {
    what: 'a success without a word from the provider',
    red: ['outcome-evidence'],
    sql: "update purchase_outcomes set answer_kind = 'unknown' where purchase_id = '$delivered'",
  },
  {
    what: 'a refusal without a word from the provider',
    red: ['outcome-evidence'],
    sql: `update purchase_outcomes set ${unanswered} where purchase_id = '$refused'`,
  },
  {
    what: 'a "not sent" without proof',
    red: ['outcome-evidence'],
    sql: "update purchase_outcomes set answer_kind = 'unknown' where purchase_id = '$not_sent'",
  },
  {
    what: 'a "not found" without an answer',
    red: ['outcome-evidence'],
    sql: "update purchase_outcomes set answer_kind = 'unknown' where purchase_id = '$not_found'",
  },
  {
    what: 'an outcome for a reason that does not exist',
    red: ['outcome-evidence'],
    sql: "update purchase_outcomes set reason = 'too_old' where purchase_id = '$refused'",
  },
  {
    what: 'a success by our balance that nothing was concluded from',
    red: ['balance-evidence'],
    sql: "update purchase_outcomes set answer_code = 'our_balance' where purchase_id = '$delivered'",
  },
  {
    what: 'a success by our balance at another cost',
    red: ['balance-evidence'],
    sql: `
      update purchase_outcomes set answer_code = 'our_balance', cost_estimated = false where purchase_id = '$delivered';
      insert into balance_evidence (merchant_id, purchase_id, attempt, verdict, why, before_amount, after_amount, others, cost)
      select merchant_id, purchase_id, attempt, 'moved', '', cost + 1, 0, 0, cost + 1
      from purchase_outcomes
      where purchase_id = '$delivered'`,
  },
  {
    what: 'a failure by our balance that had moved',
    red: ['balance-evidence'],
    sql: `
      update purchase_outcomes set answer_code = 'our_balance' where purchase_id = '$refused';
      insert into balance_evidence (merchant_id, purchase_id, attempt, verdict, why, before_amount, after_amount, others, cost)
      select merchant_id, purchase_id, attempt, 'moved', '', 1, 0, 0, 1
      from purchase_outcomes
      where purchase_id = '$refused'`,
  },
  {
    what: 'a balance that moved by another sum than its explanation',
    red: ['balance-evidence'],
    sql: `
      insert into balance_evidence (merchant_id, purchase_id, attempt, verdict, why, before_amount, after_amount, others, cost)
      values ($shop, '$unknown', 1, 'moved', '', 100, 0, 1, 100)`,
  },
  {
    what: 'a conclusion about a purchase that is not there',
    red: ['balance-evidence'],
    sql: `
      insert into balance_evidence (merchant_id, purchase_id, attempt, verdict, why)
      values ($shop, gen_random_uuid(), 1, 'undecided', '')`,
  },
  {
    what: 'a success of a provider that was never asked',
    red: ['outcome-attempt'],
    sql: "update purchase_outcomes set provider = 'other' where purchase_id = '$delivered'",
  },
  {
    what: 'a failed purchase that a provider says it delivered',
    red: ['delivered-once'],
    sql: `
      insert into further_answers (merchant_id, purchase_id, attempt, source, kind, code, message)
      values ($shop, '$refused', 1, 'callback', 'success', '000', '')`,
  },
  {
    what: 'a purchase delivered by two attempts',
    red: ['delivered-once'],
    sql: `
      insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
      values ($shop, '$delivered', 2, 'sandbox', 'again', 'corrupted');
      insert into further_answers (merchant_id, purchase_id, attempt, source, kind, code, message)
      values ($shop, '$delivered', 2, 'purchase', 'success', '000', '')`,
  },
  {
    what: 'a counter that is off',
    red: ['purchase-counts'],
    sql: 'update purchase_counts set count = count + 1',
  },
  {
    what: 'a change of a counter that is off',
    red: ['purchase-counts'],
    sql: 'update purchase_count_deltas set count = count + 1',
  },
  {
    what: 'counters that are missing',
    red: ['purchase-counts'],
    sql: 'delete from purchase_counts',
  },
  {
    what: 'a counter of nothing',
    red: ['purchase-counts'],
    sql: "insert into purchase_counts (merchant_id, environment, network, status, count) values (9, 'live', 'MTN', 'accepted', 1)",
  },
  {
    what: 'an outcome in the other environment',
    red: ['purchase-environment'],
    sql: "update purchase_outcomes set environment = 'test' where purchase_id = '$refused'",
  },
  {
    what: 'a purchase with a credential of the other environment',
    red: ['purchase-environment'],
    sql: "update credentials set environment = 'test'",
  },
  {
    what: 'a purchase of a merchant and wallet that are gone',
    red: ['purchase-environment'],
    sql: "update purchases set wallet_id = 99999 where id = '$refused'",
  },
  {
    what: 'an attempt of no purchase',
    red: ['orphans'],
    sql: `
      insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
      values ($shop, gen_random_uuid(), 1, 'sandbox', 'y', 'corrupted')`,
  },
  {
    what: 'an answer of no purchase',
    red: ['delivered-once', 'orphans'],
    sql: `
      insert into further_answers (merchant_id, purchase_id, attempt, source, kind, code, message)
      values ($shop, gen_random_uuid(), 1, 'purchase', 'success', '', '')`,
  },
  {
    what: 'an outcome of no purchase',
    red: ['orphans', 'outcome-evidence'],
    sql: `
      insert into purchase_outcomes (merchant_id, environment, purchase_id, status, reason, network, recipient)
      values ($shop, 'live', gen_random_uuid(), 'failed', 'refused', 'MTN', '')`,
  },
  {
    what: 'a pending row of no purchase',
    red: ['orphans', 'pending-count'],
    sql: `
      insert into pending_purchases (merchant_id, environment, purchase_id, wallet_id, charge, step, due_at, provider, network, recipient)
      values ($shop, 'live', gen_random_uuid(), $wallet, 0, 'send', now(), 'sandbox', 'MTN', '')`,
  },
  {
    what: 'an alarm about no purchase',
    red: ['orphans'],
    sql: `insert into alarms (kind, merchant_id, purchase_id, message) values ('overdue', 1, gen_random_uuid(), '')`,
  },
  {
    what: 'a deposit whose fee was booked at less',
    red: ['deposit-transfers', 'house-balance', 'suspense-balance'],
    sql: "update transfers set amount = amount - 1 where code = 'deposit_fee' and subject_id = '$credited'",
  },
  {
    what: 'a deposit that moved nothing',
    red: ['bank-balance', 'deposit-transfers', 'suspense-balance'],
    sql: `
      insert into deposits (id, provider, provider_reference, environment, currency, paid_to, gross, fee, paid_at)
      values (gen_random_uuid(), 'monnify', 'paid-unbooked', 'live', 'NGN', 'nobody', 100, 0, now())`,
  },
  {
    what: 'a deposit that is gone while its money is there',
    red: ['bank-balance', 'suspense-balance', 'transfer-subjects'],
    sql: "delete from deposits where id = '$suspended'",
  },
  {
    what: 'a deposit whose transfers are those of another subject',
    red: ['deposit-transfers', 'transfer-subjects'],
    sql: "update transfers set subject_id = gen_random_uuid() where code = 'deposit_net' and subject_id = '$assigned'",
  },
  {
    what: 'a deposit that went past suspense',
    red: ['bank-balance', 'deposit-transfers', 'house-balance'],
    sql: `
      update transfers
      set debit_account_id = (select id from accounts where code = 'corrections:live:NGN')
      where code = 'deposit_gross'
      and subject_id = '$credited'`,
  },
  {
    what: "a deposit whose fee is in another merchant's books",
    red: ['deposit-owner', 'deposit-transfers'],
    sql: "update transfers set merchant_id = 77 where code = 'deposit_fee' and subject_id = '$credited'",
  },
  {
    what: 'a deposit that was credited and then assigned',
    red: ['deposit-owner'],
    sql: "insert into deposit_assignments (deposit_id, merchant_id, fee) values ('$credited', $shop, 10000)",
  },
  {
    what: 'a notice that is done with and brought nothing',
    red: ['notice-settled'],
    sql: `
      insert into bank_notices (provider, reference, source, due_at, outcome)
      values ('monnify', 'paid-lost', 'notice', null, 'deposited')`,
  },
  {
    what: 'a funding account that pays into the other environment',
    red: ['funding-wallet'],
    sql: `
      update funding_accounts
      set wallet_id = (select account_id from wallets where environment = 'test')`,
  },
  {
    what: 'a statement that would pass over a line',
    red: ['statement-marks'],
    sql: `
      insert into statement_marks (merchant_id, wallet_id, transfer_id, at, balance, last_id)
      select merchant_id, account_id, (select max(id) from transfers), now(), posted, 1
      from wallets
      where account_id = $wallet`,
  },
  {
    what: 'a statement that would begin a kobo too high',
    red: ['statement-marks'],
    sql: `
      insert into statement_marks (merchant_id, wallet_id, transfer_id, at, balance, last_id)
      select merchant_id, account_id, (select max(id) from transfers), now(), posted + 1, (select max(id) from transfers)
      from wallets
      where account_id = $wallet`,
  },
  {
    what: 'balances of accounts that are not there',
    red: ['orphan-balances'],
    sql: `
      insert into house_deltas (account_id, delta) values (99999, 1);
      insert into house_balances (account_id, balance) values (99998, 1)`,
  },
  {
    what: 'a voucher without a payment',
    red: ['voucher-balance', 'voucher-issues'],
    sql: `
      insert into vouchers (merchant_id, id, environment, issue_id, code_hash, hint, value)
      values ($shop, gen_random_uuid(), 'live', gen_random_uuid(), sha256('x'), 'XXXX', 100)`,
  },
  {
    what: 'vouchers whose value was booked at less',
    red: ['house-balance', 'voucher-balance', 'voucher-issues', 'wallet-posted'],
    sql: "update transfers set amount = amount - 1 where code = 'voucher_issue'",
  },
  {
    what: 'a voucher that was cancelled and never paid back',
    red: ['voucher-balance', 'voucher-issues'],
    sql: "update vouchers set cancelled_at = now() where id = '$voucher_open'",
  },
  {
    what: 'vouchers of which nothing is known but their transfer',
    red: ['transfer-subjects', 'voucher-issues'],
    sql: "update transfers set subject_id = gen_random_uuid() where code = 'voucher_issue'",
  },
  {
    what: 'a voucher that pays two orders',
    red: ['voucher-balance', 'voucher-once', 'voucher-redemptions'],
    sql: `
      drop index voucher_redemptions_open_key;
      update voucher_redemptions set returned_at = null, voucher_id = '$voucher_taken' where purchase_id = '$esim_returned'`,
  },
  {
    what: 'a failed order that did not give its voucher back',
    red: ['voucher-balance', 'voucher-redemptions'],
    sql: "update voucher_redemptions set returned_at = null where purchase_id = '$esim_returned'",
  },
  {
    what: 'an order that has its voucher for nothing',
    red: ['voucher-balance', 'voucher-redemptions'],
    sql: "update voucher_redemptions set returned_at = now() where purchase_id = '$esim_redeemed'",
  },
  {
    what: 'an order whose redemption got lost',
    red: ['transfer-subjects', 'voucher-balance', 'voucher-redemptions'],
    sql: "delete from voucher_redemptions where purchase_id = '$esim_redeemed'",
  },
  {
    what: 'a voucher whose rest stayed with the house',
    red: ['house-balance', 'voucher-balance', 'voucher-redemptions', 'wallet-posted'],
    sql: "delete from transfers where code = 'voucher_rest'",
  },
  {
    what: 'a refund of more than its transfer',
    red: ['refunds'],
    sql: "update purchase_refunds set amount = amount + 1 where purchase_id = '$refunded' and amount = 1000",
  },
  {
    what: 'a refund of a purchase that failed',
    red: ['refund-limits', 'refunds'],
    sql: "update purchase_refunds set purchase_id = '$settled_unsent' where kind = 'provider'",
  },
  {
    what: 'a refund that moved no money',
    red: ['refunds'],
    sql: `
      insert into purchase_refunds (merchant_id, refund_id, environment, purchase_id, kind, amount, reason, refunded_by, refunded_principal)
      values ($shop, gen_random_uuid(), 'live', '$refunded', 'merchant', 1, '', '', '')`,
  },
  {
    what: 'a refund whose row is gone',
    red: ['transfer-subjects'],
    sql: "delete from purchase_refunds where kind = 'provider'",
  },
  {
    what: 'refunds of more than was charged',
    red: ['house-balance', 'refund-limits', 'wallet-posted'],
    sql: `
      update purchase_refunds set amount = 9000 where purchase_id = '$refunded' and amount = 5000;
      update transfers set amount = 9000 where code = 'refund' and amount = 5000`,
  },
  {
    what: 'refunds by a provider of more than it took',
    red: ['house-balance', 'refund-limits'],
    sql: `
      update purchase_refunds set amount = 9701 where kind = 'provider';
      update transfers set amount = 9701 where code = 'provider_refund'`,
  },
  {
    what: 'a top-up of more than its transfer',
    red: ['float-movements'],
    sql: "update float_movements set amount = amount + 1 where reference = 'f1'",
  },
  {
    what: 'a top-up of another provider',
    red: ['float-movements'],
    sql: "update float_movements set provider = 'vtpass' where reference = 'f2'",
  },
  {
    what: 'a charge without an entry in the audit log',
    red: ['audit-log-chain', 'float-movements'],
    sql: "alter table audit_log disable trigger user; update audit_log set after = after - 'movement' where action = 'float.charge'",
  },
  {
    what: 'a charge whose row is gone',
    red: ['transfer-subjects'],
    sql: "delete from float_movements where kind = 'charge'",
  },
  {
    what: 'a purchase that was failed against its provider, by one person alone',
    red: ['delivered-once'],
    sql: "update purchase_outcomes set answer_code = 'operator' where purchase_id = '$overridden'",
  },
  {
    what: 'an answer of an attempt that was never made',
    red: ['orphans'],
    sql: "update purchase_outcomes set answer_source = 'query' where purchase_id = '$settled_unsent'",
  },
  {
    what: 'a closed day whose balances were changed',
    red: ['closed-day-figures', 'closed-day-transfers'],
    sql: `
      alter table closed_balances disable trigger user;
      update closed_balances set balance = balance + case when balance < 0 then -1 else 1 end`,
  },
  {
    what: 'a figure of a closed day that was changed',
    red: ['closed-day-figures'],
    sql: `
      alter table report_ledger disable trigger user;
      update report_ledger set count = count + 1 where day <= (select max(day) from closed_days)`,
  },
  {
    what: 'a closed day that somebody else is said to have closed',
    red: ['closed-days'],
    sql: `
      alter table closed_days disable trigger user;
      update closed_days set closed_by = 'eve'`,
  },
  {
    what: 'a closed day that was taken away',
    red: ['closed-days'],
    sql: `
      alter table closed_days disable trigger user;
      delete from closed_days`,
  },
  {
    what: 'a day on which less was spent than was bought',
    red: ['credential-spending'],
    sql: 'update credential_spending set spent = spent - 1',
  },
  {
    what: 'a failed purchase that still counts against a cap',
    red: ['capped-purchases'],
    sql: `
      insert into capped_purchases (merchant_id, purchase_id, key_id, day, amount)
      select v.merchant_id, v.id, s.key_id, s.day, v.charge
      from purchases v
      join credentials c on c.merchant_id = v.merchant_id and c.id = v.credential_id
      join credential_spending s on s.key_id = c.key_id
      where v.id = '$uncounted';
      update credential_spending set spent = spent + (select charge from purchases where id = '$uncounted')`,
  },
  {
    what: 'a purchase that counts under another credential',
    red: ['capped-purchases'],
    sql: `
      update capped_purchases set key_id = 'oja_live_of_somebody_else';
      update credential_spending set key_id = 'oja_live_of_somebody_else'`,
  },
  {
    what: 'a purchase without its attempts and answers',
    red: ['outcome-attempt', 'outcome-evidence'],
    sql: `
      update purchase_outcomes set ${unanswered} where purchase_id = '$delivered';
      update purchases set attempt_reference = null where id = '$delivered'`,
  },
  {
    what: 'a row of a batch that bought something else',
    red: ['batch-purchases'],
    sql: "update batch_rows set recipient = '2348030000000'",
  },
  {
    what: 'a row of a batch that bought another kind of airtime',
    red: ['batch-purchases'],
    sql: "update batch_rows set plan_kind = 'share_and_sell'",
  },
  {
    what: 'a lost row of a batch',
    red: ['batch-rows'],
    sql: 'delete from batch_rows',
  },
  {
    what: 'a row of a batch that was passed over',
    red: ['batch-handled'],
    sql: `
      insert into batch_rows (merchant_id, batch_id, line, product, network, msisdn, recipient, face_value, charge)
      select merchant_id, batch_id, 2, product, network, msisdn, recipient, face_value, charge
      from batch_rows;
      update batches set row_count = 2, next_line = 3, face_value = 2 * face_value, charge = 2 * charge`,
  },
  {
    what: 'a purchase at the price of another rule than the one that it names',
    red: ['charge-by-list'],
    sql: `
      insert into price_list_rules (list, version, product, network, kind, plan_code, off)
      values ('own:SHOP', 1, 'airtime', '*', '*', '*', 300);
      update purchases
      set details = jsonb_set(details, '{priceList,rule}', '"airtime/*/*/*"')
      where details ? 'priceList'`,
  },
  {
    what: 'a purchase that names a version that never was',
    red: ['charge-by-list'],
    sql: `
      update purchases
      set details = jsonb_set(details, '{priceList,version}', '2')
      where details ? 'priceList'`,
  },
];
