/**
 * The call to the provider. Guarantees: the attempt is committed before it is called here; nothing
 * is thrown, whatever the provider or its connector does; an order that was held up between commit
 * and call, in a queue or because this process was, is not sent any more.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { StopPoints } from '../../kernel/stop-points.ts';
import type { Provider, ProviderAnswer } from '../../providers/provider.ts';
import { toOrder, type VendInHand } from '../vend/vend-in-hand.ts';

/** Nobody waits for an order that has not left by then. */
const SEND_WITHIN_MAX_MS = 60_000;

export type Attempter = {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly clock: Clock;
  readonly stopPoints: StopPoints;
  readonly onAnswer: (event: {
    provider: string;
    operation: 'vend' | 'query' | 'verify';
    kind: string;
    latencyMs: number;
  }) => void;
};

export type TimedAnswer = {
  readonly answer: ProviderAnswer;
  /** `Clock.elapsedMs` before the call: what the provider knew, it knew then or later. */
  readonly askedAtMs: number;
  readonly latencyMs: number;
};

export async function attemptVend(attempter: Attempter, vend: VendInHand): Promise<TimedAnswer> {
  await attempter.stopPoints.reach('before-call');
  const timed = await callProvider(attempter, vend, 'vend');
  await attempter.stopPoints.reach('after-call');
  return timed;
}

/** Asks the provider of the present attempt what became of it. */
export function queryVend(attempter: Attempter, vend: VendInHand): Promise<TimedAnswer> {
  return callProvider(attempter, vend, 'query');
}

async function callProvider(
  attempter: Attempter,
  vend: VendInHand,
  operation: 'vend' | 'query',
): Promise<TimedAnswer> {
  const askedAtMs = attempter.clock.elapsedMs();
  const answer = await answerOf(attempter, vend, operation);
  const latencyMs = attempter.clock.elapsedMs() - askedAtMs;
  attempter.onAnswer({ provider: vend.attempt.provider, operation, kind: answer.kind, latencyMs });
  return { answer, askedAtMs, latencyMs };
}

async function answerOf(
  attempter: Attempter,
  vend: VendInHand,
  operation: 'vend' | 'query',
): Promise<ProviderAnswer> {
  const provider = attempter.providers.get(vend.attempt.provider);
  const silent = operation === 'vend' ? 'not_sent' : 'unknown';
  if (provider === undefined) {
    return {
      kind: silent,
      code: 'not_configured',
      message: 'the provider is not configured on this gateway',
    };
  }
  const sendWithinMs = sendBoundMs(provider) - (attempter.clock.elapsedMs() - vend.takenAtMs);
  if (operation === 'vend' && sendWithinMs <= 0) {
    return { kind: 'not_sent', code: 'too_late', message: 'the gateway was held up before it could call' };
  }
  try {
    return await (operation === 'vend'
      ? provider.vend(toOrder(vend), { sendWithinMs })
      : provider.query(toOrder(vend)));
  } catch (error) {
    // A connector that throws has a fault, and what it sent before is not known.
    return {
      kind: 'unknown',
      code: 'connector_fault',
      message: error instanceof Error ? error.name : 'fault',
    };
  }
}

/**
 * How long after its commit an attempt may still be sent: well within the grace, so that an order
 * nobody has heard of by its end is certain not to be sent later.
 */
function sendBoundMs(provider: Provider): number {
  return Math.min(SEND_WITHIN_MAX_MS, provider.notFoundGraceMs / 2);
}
