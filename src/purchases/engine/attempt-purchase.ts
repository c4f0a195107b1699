/**
 * The call to the provider. Guarantees: the attempt is committed before the call; it never throws,
 * whatever the connector does; an order that was delayed between commit and call, by the limiter or
 * by a stall of this process, is not sent.
 */

import type { Guards } from '../../catalog/margins/guards.ts';
import type { Routes } from '../../catalog/routes/routes.ts';
import type { Clock } from '../../core/clock.ts';
import type { Failpoints } from '../../core/failpoints.ts';
import { isUnconfirmedRefusal } from '../../providers/answers.ts';
import { newTurn, type Turn } from '../../providers/http/limiter.ts';
import type { OneAlike, Provider, ProviderAnswer, ProviderOrder } from '../../providers/provider.ts';
import { type BalanceEvidence, decideByBalance } from '../evidence/balance-evidence.ts';
import { type PurchaseInHand, toOrder, type UnsentPatience } from '../state/purchase-in-hand.ts';
import type { AlikeOrders } from './alike-store.ts';
import { sellsAtLoss } from './guarded-route.ts';
import { endTurn } from './provider-room.ts';
import type { PurchaseEvents } from './purchase-events.ts';
import type { SendingLock } from './sending-lock.ts';
import type { SentAttempt } from './sent-attempt-store.ts';

/** After this time no request waits for the order. */
const SEND_WITHIN_MAX_MS = 60_000;

export type Attempter = {
  readonly routes: Pick<Routes, 'isPaused'>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly guards: Guards;
  readonly restoreLock: SendingLock;
  readonly unsentMs: UnsentPatience;
  /** Reads the facts about the current attempt. It may reject. */
  readonly findSentAttempt: (purchase: PurchaseInHand) => Promise<SentAttempt>;
  /** For providers with `oneAlike`; it may reject. */
  readonly alike: AlikeOrders;
  /** For providers with `balanceProves`; it may reject. */
  readonly balances: BalanceEvidence;
  readonly clock: Clock;
  readonly failpoints: Failpoints;
  readonly onAnswer: PurchaseEvents['onAnswer'];
};

export type TimedAnswer = {
  readonly answer: ProviderAnswer;
  /** `Clock.elapsedMs` before the call. The provider's knowledge is of then or later. */
  readonly askedAtMs: number;
  /** Without the time spent waiting for the limiter. */
  readonly latencyMs: number;
};

/** `turn` may already hold a slot at the provider. It is released here. */
export function attemptPurchase(
  attempter: Attempter,
  purchase: PurchaseInHand,
  turn: Turn = newTurn('purchase', purchase.merchantId),
): Promise<TimedAnswer> {
  return attempter.failpoints.active
    ? attemptWithFailpoints(attempter, purchase, turn)
    : callProvider(attempter, purchase, 'purchase', turn);
}

async function attemptWithFailpoints(
  attempter: Attempter,
  purchase: PurchaseInHand,
  turn: Turn,
): Promise<TimedAnswer> {
  await attempter.failpoints.reach('before-call');
  const timed = await callProvider(attempter, purchase, 'purchase', turn);
  await attempter.failpoints.reach('after-call');
  return timed;
}

/** Queries the provider of the current attempt. `turn` is as in `attemptPurchase`. */
export function queryAttempt(
  attempter: Attempter,
  purchase: PurchaseInHand,
  turn: Turn = newTurn('query', purchase.merchantId),
): Promise<TimedAnswer> {
  return callProvider(attempter, purchase, 'query', turn);
}

async function callProvider(
  attempter: Attempter,
  purchase: PurchaseInHand,
  operation: 'purchase' | 'query',
  turn: Turn,
): Promise<TimedAnswer> {
  const waitedBeforeMs = turn.waitedMs;
  const askedAtMs = attempter.clock.elapsedMs();
  const provider = attempter.providers.get(purchase.attempt.provider);
  const answer =
    provider === undefined
      ? uncalled(operation, 'not_configured', 'the provider is not configured on this gateway')
      : ((operation === 'purchase' ? withheld(attempter, provider, purchase, turn, askedAtMs) : undefined) ??
        (await callConnector(attempter, provider, purchase, operation, turn, askedAtMs)));
  endTurn(turn);
  const tookMs = attempter.clock.elapsedMs() - askedAtMs;
  const latencyMs = tookMs - (turn.waitedMs - waitedBeforeMs);
  if (provider?.balanceProves !== undefined && answer.balance !== undefined) {
    // Without it the balance decides later, or not at all.
    await attempter.balances.note(purchase, provider, answer, tookMs).catch(() => undefined);
  }
  const { kind, code } = answer;
  attempter.onAnswer({
    provider: purchase.attempt.provider,
    operation,
    kind,
    latencyMs,
    code,
    fault: kind === 'failed' ? answer.fault : undefined,
    isUncalled: kind === 'failed' && answer.isUncalled === true,
    purchaseId: purchase.purchaseId,
  });
  return { answer, askedAtMs, latencyMs };
}

/** Calls the connector. If it throws, it is unknown whether a request was sent. */
function callConnector(
  attempter: Attempter,
  provider: Provider,
  purchase: PurchaseInHand,
  operation: 'purchase' | 'query',
  turn: Turn,
  nowMs: number,
): Promise<ProviderAnswer> {
  const heldMs = nowMs - purchase.takenAtMs;
  try {
    const answer =
      operation === 'purchase'
        ? sendOrder(attempter, provider, purchase, { heldMs, turn })
        : queryProvider(attempter, provider, purchase, { heldMs, turn });
    return answer.catch(connectorFault);
  } catch (error) {
    return Promise.resolve(connectorFault(error));
  }
}

type Call = { readonly heldMs: number; readonly turn: Turn };

function sendOrder(
  attempter: Attempter,
  provider: Provider,
  purchase: PurchaseInHand,
  call: Call,
): Promise<ProviderAnswer> {
  const { heldMs, turn } = call;
  return provider.oneAlike === undefined
    ? provider.purchase(toOrder(purchase, heldMs), { sendWithinMs: sendBoundMs(provider) - heldMs, turn })
    : sendAlone(attempter, provider, purchase, { ...call, oneAlike: provider.oneAlike });
}

/** Sends an order once it cannot be confused with an equal one. */
async function sendAlone(
  attempter: Attempter,
  provider: Provider,
  purchase: PurchaseInHand,
  { oneAlike, turn }: Pick<Call, 'turn'> & { readonly oneAlike: OneAlike },
): Promise<ProviderAnswer> {
  const account = { name: provider.name, oneAlike };
  const claimed = await attempter.alike.claim(purchase, account).catch(() => undefined);
  if (claimed === undefined) {
    return uncalled(
      'purchase',
      'alike_unread',
      'the database could not be asked whether a similar order is unsettled',
    );
  }
  if (!claimed) {
    return uncalled(
      'purchase',
      'alike_unsettled',
      'an order for the same number, plan and amount is unsettled, or its record is not known yet',
    );
  }
  const heldMs = attempter.clock.elapsedMs() - purchase.takenAtMs;
  const sendWithinMs = sendBoundMs(provider) - heldMs;
  if (sendWithinMs <= 0) {
    return uncalled('purchase', 'too_late', 'the gateway was held up before it could call');
  }
  return await provider.purchase(toOrder(purchase, heldMs), { sendWithinMs, turn });
}

function connectorFault(error: unknown): ProviderAnswer {
  return {
    kind: 'unknown',
    code: 'connector_fault',
    message: error instanceof Error ? error.name : 'fault',
  };
}

/** The answer for an order that must not be sent. Undefined if it may be sent. */
function withheld(
  attempter: Attempter,
  provider: Provider,
  purchase: PurchaseInHand,
  turn: Turn,
  nowMs: number,
): ProviderAnswer | undefined {
  const heldMs = nowMs - purchase.takenAtMs;
  if (attempter.restoreLock.isUp(purchase.environment)) {
    return uncalled('purchase', 'locked', 'nothing is sent until the restore lock is opened');
  }
  // A request that has just stored its purchase may have accepted it before this process knew of
  // the pause.
  const isAgain = turn.kind === 'queued';
  if (isAgain && attempter.restoreLock.isBefore(purchase)) {
    return uncalled('purchase', 'restored', 'it is from before a restore, and is not sent after it');
  }
  if (isAgain && attempter.routes.isPaused(provider.name, purchase.product, purchase.network)) {
    return uncalled('purchase', 'paused', 'purchases of the provider are paused');
  }
  if (heldMs >= sendBoundMs(provider)) {
    return uncalled('purchase', 'too_late', 'the gateway was held up before it could call');
  }
  // The age is checked again when the order is sent again.
  if (isAgain && purchase.ageMs + heldMs >= attempter.unsentMs[purchase.mode]) {
    return uncalled('purchase', 'too_old', 'it had waited too long to be sent');
  }
  if (sellsAtLoss(attempter.guards, purchase, provider.name)) {
    return uncalled('purchase', 'sells_at_loss', 'it would be sold at a loss, which its guard stops');
  }
  // The credentials changed after the attempt was stored with the previous account.
  return provider.account === purchase.attempt.account
    ? undefined
    : uncalled('purchase', 'account_changed', 'the provider has another account now');
}

async function queryProvider(
  attempter: Attempter,
  provider: Provider,
  purchase: PurchaseInHand,
  call: Call,
): Promise<ProviderAnswer> {
  const { balanceProves } = provider;
  const order = toOrder(purchase, call.heldMs);
  if (balanceProves === undefined || purchase.final) {
    return await queryOrder(attempter, provider, purchase, order, call.turn);
  }
  const found = await attempter.balances.judge(purchase).catch(() => undefined);
  const asked: ProviderOrder = found?.verdict === 'moved' ? { ...order, isDebited: true } : order;
  const answer = await queryOrder(attempter, provider, purchase, asked, call.turn);
  return decideByBalance(balanceProves, purchase, answer, found);
}

async function queryOrder(
  attempter: Attempter,
  provider: Provider,
  purchase: PurchaseInHand,
  asked: ProviderOrder,
  turn: Turn,
): Promise<ProviderAnswer> {
  let order = asked;
  const { name, oneAlike } = provider;
  if (oneAlike !== undefined) {
    const alike = await attempter.alike.find(purchase, { name, oneAlike }).catch(() => undefined);
    if (alike === undefined) {
      return uncalled('query', 'alike_unread', 'the similar orders could not be read from the database');
    }
    // A process died between storing the attempt and the call. A process that is only slow sends
    // nothing after the grace.
    if (!alike.isClaimed && !purchase.final && !isOfBefore(attempter, purchase)) {
      return { kind: 'not_found', code: 'never_sent', message: 'the order never left the gateway' };
    }
    order = { ...order, otherIds: alike.otherIds };
  }
  const { account, queriesByOwnId, confirmsRefusals } = provider;
  if (account === undefined && queriesByOwnId === undefined && confirmsRefusals === undefined) {
    return await provider.query(order, { turn });
  }
  const sent = await attempter.findSentAttempt(purchase).catch(() => undefined);
  if (sent === undefined && account !== undefined) {
    return uncalled('query', 'account_unread', 'its account could not be read from the database');
  }
  // The credentials may have changed meanwhile. This is the account of the connector that is
  // called.
  const sentTo = account === undefined ? undefined : sent?.account;
  if (sentTo === undefined || sentTo === provider.account) {
    return await provider.query(toQuestion(provider, purchase, order, sent?.answer), { turn });
  }
  // Drops an answer of another account: its number may belong to a different customer here.
  return notOfOtherAccount(await provider.query(order, { turn }));
}

/** A restored database may lack data that was stored when the order was sent. */
function isOfBefore({ restoreLock }: Attempter, purchase: PurchaseInHand): boolean {
  return restoreLock.isUp(purchase.environment) || restoreLock.isBefore(purchase);
}

/**
 * Another account does not know the order, whatever happened to it. Only a success is believed: it
 * proves that the account is the same after all, under another address.
 */
function notOfOtherAccount(answer: ProviderAnswer): ProviderAnswer {
  if (answer.kind !== 'not_found' && answer.kind !== 'failed') return answer;
  return {
    kind: 'unknown',
    code: 'other_account',
    message:
      'it was bought at an account of the provider that is not set any more: put that account back, or settle it',
    otherAccount: true,
  };
}

/**
 * Without the provider's own id the order is found by our reference, which takes longer, and a
 * refusal is believed later.
 */
function toQuestion(
  { queriesByOwnId, confirmsRefusals }: Provider,
  purchase: PurchaseInHand,
  order: ProviderOrder,
  answered: SentAttempt['answer'],
): ProviderOrder {
  if (answered === undefined) return order;
  const { providerId, code, message, ageMs } = answered;
  return {
    ...order,
    ...(queriesByOwnId && providerId !== undefined && { providerId }),
    // The provider accepted the order, so it did not refuse it.
    ...(confirmsRefusals &&
      purchase.evidence === 'none' &&
      isUnconfirmedRefusal(answered) && { refusal: { code, message, ageMs } }),
  };
}

/**
 * The answer if no call was made. For an order it proves that it was not sent; for a query it
 * proves nothing.
 */
function uncalled(operation: 'purchase' | 'query', code: string, message: string): ProviderAnswer {
  return { kind: operation === 'purchase' ? 'not_sent' : 'unknown', code, message };
}

/**
 * How long after its commit an attempt may still be sent. It is well below the grace, so an order
 * that is unknown to the provider after the grace will not be sent later.
 */
function sendBoundMs(provider: Provider): number {
  return Math.min(SEND_WITHIN_MAX_MS, provider.notFoundGraceMs / 2);
}
