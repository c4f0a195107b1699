/**
 * Takes vends from the queue: what one transaction takes and the attempts it stores. Guarantees:
 * what it gives is committed; where the commit went unanswered, it has seen that it was. A vend
 * whose rows do not fit together is set aside with an alarm, and the others go on.
 */
import type { Database, Tx } from '../../db/database.ts';
import { isConnectionLost } from '../../db/database-errors.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/log.ts';
import type { Provider } from '../../providers/provider.ts';
import type { VendInHand } from '../state/purchase-in-hand.ts';
import {
  type ClaimedVend,
  insertAttempts,
  isAttemptStored,
  type NewAttempt,
  type Step,
} from './claim-store.ts';
import type { DatabaseClock } from './database-clock.ts';
import { findMoves, grownOlder, unmoved } from './test-clock-store.ts';
import { setVendsAside } from './quarantined-purchase-store.ts';

export type Claimer = {
  readonly database: Database;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly clock: Clock;
  readonly databaseClock: Pick<DatabaseClock, 'correct'>;
  readonly log: Logger;
};

export type TakenVend = { readonly vend: VendInHand; readonly step: Step };
type Claim = { vends: readonly TakenVend[]; attempts: readonly NewAttempt[] };

const TROUBLE_PAUSE_MS = 1_000;

/** `read` chooses them, by one of the statements of claim-store.ts. */
export async function takeVends(
  claimer: Claimer,
  read: (tx: Tx) => Promise<ClaimedVend[]>,
  isStopping: () => boolean,
): Promise<readonly TakenVend[]> {
  const claim: Claim = { vends: [], attempts: [] };
  const takenAtMs = claimer.clock.elapsedMs();
  try {
    await claimer.database.transaction(async (tx) => {
      await store(claimer, tx, await read(tx), takenAtMs, claim);
    });
  } catch (error) {
    if (!isConnectionLost(error) || !(await isCommitted(claimer, claim, isStopping))) throw error;
  }
  return claim.vends;
}

async function store(
  claimer: Claimer,
  tx: Tx,
  claimed: readonly ClaimedVend[],
  takenAtMs: number,
  claim: Claim,
): Promise<void> {
  const wanted = claimed.filter((vend) => vend.step === 'send').map((vend) => newAttempt(claimer, vend));
  const stored = wanted.length > 0 ? await insertAttempts(tx, wanted) : new Set<string>();
  claim.attempts = wanted.filter(({ vendId }) => stored.has(vendId));
  const fresh = new Map(claim.attempts.map((attempt) => [attempt.vendId, { ...attempt, ageMs: 0 }]));
  // A purchase that was never sent is as old as nobody asks.
  const aged = claimed.filter(({ step, attempts }) => step === 'query' || attempts > 1);
  const moves = await findMoves(tx, aged);
  const moveOf = new Map(aged.map((vend, i) => [vend, moves[i]]));
  const odd: ClaimedVend[] = [];
  claim.vends = claimed.flatMap((vend) => {
    const found = vend.step === 'send' ? fresh.get(vend.vendId) : vend.attempt;
    if (found === undefined) {
      odd.push(vend);
      return [];
    }
    const ageMs = claimer.databaseClock.correct(vend.ageMs);
    const attempt = { ...found, ageMs: claimer.databaseClock.correct(found.ageMs) };
    const inHand = { ...vend, ageMs, attempt, takenAtMs };
    return [{ vend: grownOlder(inHand, moveOf.get(vend) ?? unmoved), step: vend.step }];
  });
  if (odd.length === 0) return;
  await setVendsAside(tx, odd.map(oddity));
  claimer.log.error(
    { vends: odd.map(({ vendId }) => vendId) },
    'vends that cannot be worked on are set aside',
  );
}

/** Either way nothing is sent: the attempt that was stored before may have left. */
function oddity({ merchantId, vendId, step, attempts }: ClaimedVend): Parameters<typeof setVendsAside>[1][0] {
  const why =
    step === 'send' ? `attempt ${attempts} is on record already` : `attempt ${attempts} is not on record`;
  return { merchantId, vendId, why: `it is not sent, nor asked about: ${why}` };
}

/**
 * Whether a claim was stored whose commit went unanswered: all of it, or nothing. Else its vends
 * would lie in nobody's hands until their lease runs out, and then be failed without ever having
 * been sent.
 */
async function isCommitted(
  { database, log }: Claimer,
  { vends, attempts: [first] }: Claim,
  isStopping: () => boolean,
): Promise<boolean> {
  // Without an attempt there are only questions to ask, and those may be asked twice.
  if (first === undefined) return vends.length > 0;
  while (!isStopping()) {
    try {
      return await isAttemptStored(database, first);
    } catch (error) {
      log.warn({ err: error }, 'cannot see whether vends were taken; trying again');
      await new Promise((resolve) => setTimeout(resolve, TROUBLE_PAUSE_MS));
    }
  }
  return false;
}

function newAttempt({ providers, clock }: Claimer, vend: ClaimedVend): NewAttempt {
  const provider = providers.get(vend.provider);
  const { product, network, details } = vend;
  const bought = { product, network, codes: details?.planCodes?.[vend.provider] };
  return {
    merchantId: vend.merchantId,
    vendId: vend.vendId,
    number: vend.attempts,
    provider: vend.provider,
    account: provider?.account,
    reference:
      provider?.mintReference(clock.now(), vend, bought) ?? `unsendable-${vend.vendId}-${vend.attempts}`,
    reason: reasonOf(vend),
  };
}

function reasonOf(vend: ClaimedVend): string {
  if (vend.attempts === 1) {
    return vend.provider === vend.route[0] ? 'first of the route' : 'the first of the route with room';
  }
  return vend.attempts <= vend.route.length
    ? 'next of the route: the one before did not take the order'
    : 'tried again: the order had not left';
}
