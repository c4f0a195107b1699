/**
 * Queries each success again a day later, if its provider may take one back and reports that only
 * to queries. Resolve refuses a success that was taken back as a contradiction and raises an alarm:
 * money never moves automatically. Guarantees: each success is queried, in their order, by one
 * process at a time for each provider. After a process died, the next continues at the last stored
 * success. The queries leave only while no other call waits for the provider, a few at a time.
 */
import type { Sql } from '../../db/database.ts';
import { type Attempter, queryAttempt } from '../engine/attempt-purchase.ts';
import { isOpen, spareTurn } from '../engine/provider-room.ts';
import { type Resolver, resolvePurchase } from '../engine/resolve-purchase.ts';
import { LEASE_MS } from '../engine/work-purchases.ts';
import {
  claimLooks,
  findLookUntil,
  isContradicted,
  type Look,
  type LookedAt,
  leaveLook,
  moveLook,
  openLooks,
  passMinute,
  readLooks,
} from './recheck-store.ts';

export type RecheckDependencies = Attempter & Resolver & { readonly sql: Sql };

const AT_ONCE = 4;
const RUN_MS = 15_000;
const TURN_MS = 500;
/** While other calls wait. */
const BUSY_PAUSE_MS = 5_000;
/** After a query without a clear answer. */
const UNCLEAR_PAUSE_MS = 60_000;
/** Then the success is skipped: it stands. */
const TRIES_MAX = 3;
const IDLE_PAUSE_MS = 30_000;

/** Runs one round and returns how many successes were queried. */
export async function recheckSuccesses(dependencies: RecheckDependencies): Promise<number> {
  const { sql } = dependencies;
  const providers = [...dependencies.providers.values()].filter(({ takesBack }) => takesBack);
  const names = providers.map(({ name }) => name);
  if (names.length === 0) return 0;
  await openLooks(sql, names);
  const open = providers.filter(isOpen).map(({ name }) => name);
  const looks = open.length === 0 ? [] : await claimLooks(sql, open, LEASE_MS);
  const asked = await Promise.all(looks.map((look) => lookAt(dependencies, look)));
  return asked.reduce((sum, count) => sum + count, 0);
}

async function lookAt(dependencies: RecheckDependencies, look: Look): Promise<number> {
  const { sql, clock } = dependencies;
  const endMs = performance.now() + RUN_MS;
  const until = await findLookUntil(sql);
  let { tries } = look;
  let asked = 0;
  while (performance.now() < endMs) {
    const takenAtMs = clock.elapsedMs();
    const next = await readLooks(sql, look, { until, limit: AT_ONCE, takenAtMs });
    if (next.length === 0) {
      if (await passMinute(sql, look, until)) continue;
      await leaveLook(sql, look, IDLE_PAUSE_MS, 0);
      return asked;
    }
    const answers = await Promise.all(next.map((one) => ask(dependencies, one, tries >= TRIES_MAX)));
    const first = answers.findIndex((answer) => answer !== 'clear');
    const last = next[(first === -1 ? next.length : first) - 1];
    if (last !== undefined) {
      if (!(await moveLook(sql, look, last, LEASE_MS))) return asked;
      asked += next.indexOf(last) + 1;
      tries = 1;
    }
    if (first !== -1) {
      const isBusy = answers[first] === 'no_turn';
      await leaveLook(sql, look, isBusy ? BUSY_PAUSE_MS : UNCLEAR_PAUSE_MS, isBusy ? tries - 1 : tries);
      return asked;
    }
  }
  await leaveLook(sql, look, 0, 0);
  return asked;
}

/** `isLast`: it is not queried again, whatever the answer. */
async function ask(
  dependencies: RecheckDependencies,
  { purchase }: LookedAt,
  isLast: boolean,
): Promise<'clear' | 'unclear' | 'no_turn'> {
  const { sql, log } = dependencies;
  const provider = dependencies.providers.get(purchase.attempt.provider);
  const turn = provider && (await spareTurn(provider, purchase.merchantId, TURN_MS));
  if (turn === undefined) return 'no_turn';
  const timed = await queryAttempt(dependencies, purchase, turn);
  const { answer } = timed;
  const { kind, code } = answer;
  // Only a reversal is stored. The success itself is stored already.
  if (kind === 'failed' && !(await isContradicted(sql, purchase))) {
    await resolvePurchase(dependencies, purchase, 'query', timed);
  }
  // The account that knows the order is no longer in use.
  if (kind !== 'unknown' || answer.otherAccount) return 'clear';
  if (!isLast) return 'unclear';
  log.warn(
    { purchase: purchase.purchaseId, code },
    'a success could not be asked about once more: it stands',
  );
  return 'clear';
}
