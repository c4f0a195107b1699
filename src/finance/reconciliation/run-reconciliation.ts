/**
 * Runs one reconciliation on one connection: loads the reported lines, compares them, applies the
 * requested fixes, and stores the run with its differences.
 *
 * Guarantees: without `apply` only the run is stored. A run that dies leaves only its applied
 * fixes, each complete. Its memory does not grow with the file.
 */

import { loadCatalog } from '../../catalog/catalog.ts';
import { type Actor, actorOf } from '../../core/actor.ts';
import { formatDay, parseDay } from '../../core/clock.ts';
import { OperationError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { formatAmount } from '../../core/money.ts';
import type { ApprovalLimits } from '../../core/operation.ts';
import type { OnProgress } from '../../core/progress.ts';
import type { Database, Sql } from '../../db/database.ts';
import type { FundingProvider } from '../../funding/banks/funding-provider.ts';
import type { Provider } from '../../providers/provider.ts';
import { readLinePages } from '../../providers/statements/read-pages.ts';
import type { Period } from '../../providers/statements/statement-line.ts';
import type { StatementMapping } from '../../providers/statements/statement-mapping.ts';
import { findRestoreLock, type RestoreLockRow } from '../../purchases/engine/restore-lock-store.ts';
import type { Asker } from '../../purchases/unresolved/query-purchase.ts';
import { type Applying, applyDifference } from './apply-difference.ts';
import { listFrom } from './coverage-store.ts';
import type { DifferenceKind } from './difference.ts';
import {
  countKinds,
  createDifferenceTable,
  insertDifferences,
  listFound,
  markApplied,
} from './difference-store.ts';
import { countCutRecipients, explainLines } from './explained-store.ts';
import type { FoundParty } from './find-party.ts';
import { readSlices } from './read-slices.ts';
import { reconcileBank } from './reconcile-bank.ts';
import { type ProviderSums, reconcileProvider, recordPending } from './reconcile-provider.ts';
import {
  createLinesTable,
  hasOtherCurrency,
  isReportedReversed,
  readOrderSpan,
  removeRepeatedPayments,
  sumLines,
} from './reported-lines-store.ts';
import { type Covered, type RunRow, storeRun } from './run-store.ts';
import { settleFindings } from './settle-findings.ts';
import { loadFile, loadList, type Reported, type StatementFile } from './statement-source.ts';

export type Reconciling = Asker & {
  readonly approvalLimits: ApprovalLimits;
  readonly database: Database;
  readonly actor: Actor;
  readonly openBanks: () => Promise<
    AsyncDisposable & { readonly banks: ReadonlyMap<string, FundingProvider> }
  >;
};

export type Wanted = {
  readonly party: FoundParty;
  readonly file: StatementFile | undefined;
  readonly mapping: StatementMapping | undefined;
  readonly period: Partial<Period>;
  readonly apply: boolean;
};

type Loaded = {
  readonly source: RunRow['source'];
  readonly reported: Reported;
  /** The requested period of a list. */
  readonly requested?: Period;
};

const DAY_MS = 24 * 3_600_000;

const NOTHING: Reported = { lines: 0, span: undefined, opening: undefined, closing: undefined, leftOut: {} };

/** Returns the id of the stored run. Throws OperationError. */
export async function runReconciliation(
  reconciling: Reconciling,
  wanted: Wanted,
  onProgress: OnProgress,
): Promise<string> {
  const startedAt = reconciling.clock.now();
  const id = newId();
  const { kind, environment } = wanted.party;
  const isLive = kind === 'provider' && environment === 'live';
  const lock = isLive ? await findRestoreLock(reconciling.database) : undefined;
  await reconciling.database.session(async (sql) => {
    await createLinesTable(sql);
    await createDifferenceTable(sql);
    const { source, reported, requested } = await loadReported(
      sql,
      reconciling,
      wanted,
      { now: startedAt, lock },
      onProgress,
    );
    const period = requested ?? periodOf(wanted.period, reported, startedAt);
    const sums = await compare(sql, wanted, source, period, onProgress);
    const file = {
      ...(await checkFile(sql, wanted.party, reported, sums, period)),
      ...(await checkBalances(sql, reported)),
    };
    const isContradicted = (reported.balances?.brokenMovements ?? 0) > 0;
    if (wanted.apply) await applyAll(sql, reconciling, wanted, isContradicted, onProgress);
    const kinds = await kindsOf(sql);
    const lines = await accountFor(sql, wanted, source, reported, kinds);
    const { name: run_by, principal: run_principal } = actorOf(reconciling.actor);
    const run = {
      id,
      party: wanted.party.name,
      environment: wanted.party.environment,
      source,
      file_name: wanted.file?.name ?? null,
      from_at: period.from,
      to_at: period.to,
      applied: wanted.apply,
      lines: BigInt(reported.lines),
      summary: { ...textsOf(sums), ...file, ...lines, kinds },
      run_by,
      run_principal,
      started_at: startedAt,
    };
    await storeRun(sql, run, await coveredPeriod(sql, wanted, source, period, startedAt));
  });
  if (wanted.apply && lock !== undefined) await enterLostPurchases(reconciling, lock, onProgress);
  return id;
}

async function enterLostPurchases(
  { database, actor }: Reconciling,
  lock: RestoreLockRow,
  onProgress: OnProgress,
): Promise<void> {
  const catalog = await loadCatalog(database);
  await settleFindings({ database, catalog, actor }, lock, onProgress);
}

/**
 * Returns the period for which the other side has reported every order; undefined if it proves no
 * completeness. A list covers its requested period. A file covers the time from its first order to
 * its last, unless the operator named a period.
 */
async function coveredPeriod(
  sql: Sql,
  { party, period: named }: Wanted,
  source: RunRow['source'],
  period: Period,
  now: Date,
): Promise<Covered | undefined> {
  if (party.kind === 'bank' || source === 'questions') return undefined;
  const { first, last } = source === 'file' ? await readOrderSpan(sql) : { first: null, last: null };
  const from = source === 'list' ? period.from : (named.from ?? first);
  const until = source === 'list' ? period.to : (named.to ?? last);
  if (from === null || until === null) return undefined;
  // The future is not covered.
  const end = until < now ? until : now;
  return from > end ? undefined : { from, until: end };
}

async function loadReported(
  sql: Sql,
  reconciling: Reconciling,
  { party, file, mapping, period }: Wanted,
  { now, lock }: { readonly now: Date; readonly lock: RestoreLockRow | undefined },
  onProgress: OnProgress,
): Promise<Loaded> {
  if (file !== undefined) {
    const used = mapping ?? party.mapping;
    if (used === undefined) throw new OperationError({ code: 'no_statement_mapping', party: party.name });
    const reported = await loadFile(sql, file, used, period, onProgress);
    if (party.kind === 'provider') return { source: 'file', reported };
    const leftOut = { ...reported.leftOut, repeated: await removeRepeatedPayments(sql) };
    return { source: 'file', reported: { ...reported, leftOut } };
  }
  const whole = { from: period.from ?? listedFrom(lock, period.to ?? now), to: period.to ?? now };
  if (party.kind === 'bank') {
    await using opened = await reconciling.openBanks();
    const bank = opened.banks.get(party.name);
    if (bank?.listTransactions === undefined) throw notConfigured(party);
    const lines = readLinePages(party.name, bank.listTransactions, whole);
    return { source: 'list', reported: await loadList(sql, lines, onProgress), requested: whole };
  }
  await using opened = await reconciling.openProviders();
  const provider: Provider | undefined = opened.providers.get(party.name);
  if (provider === undefined) throw notConfigured(party);
  const hasList = provider.listOrders !== undefined;
  if (!hasList) return { source: 'questions', reported: NOTHING, requested: whole };
  const pages = readLinePages(provider.name, provider.listOrders, whole);
  const reported = await loadList(sql, pages, onProgress);
  return { source: 'list', reported, requested: whole };
}

/**
 * Returns the start of a list: after a restore the start of the lost time, else the day before
 * yesterday.
 */
function listedFrom(lock: RestoreLockRow | undefined, end: Date): Date {
  if (lock !== undefined) return listFrom(lock);
  const day = parseDay(formatDay(new Date(end.getTime() - 1))) ?? end;
  return new Date(day.getTime() - DAY_MS);
}

function notConfigured({ name }: FoundParty): OperationError {
  return new OperationError({ code: 'party_not_configured', party: name });
}

/** Returns the named period, or the period of the lines. */
function periodOf({ from, to }: Partial<Period>, { span }: Reported, now: Date): Period {
  return { from: from ?? span?.from ?? now, to: to ?? (from === undefined ? span?.to : undefined) ?? now };
}

type Sums = Partial<ProviderSums> & { readonly [name: string]: bigint | number | undefined };

async function compare(
  sql: Sql,
  { party }: Wanted,
  source: RunRow['source'],
  period: Period,
  onProgress: OnProgress,
): Promise<Sums> {
  if (party.kind === 'bank') return { ...(await reconcileBank(sql, party, period, onProgress)) };
  if (source === 'questions') return { pending: await recordPending(sql, party) };
  return { ...(await reconcileProvider(sql, party, period, onProgress)) };
}

/** Checks that the lines of the file lead from its opening to its closing balance. */
async function checkFile(
  sql: Sql,
  { kind }: FoundParty,
  { opening, closing }: Reported,
  { netThere }: Sums,
  { to }: Period,
): Promise<Record<string, string>> {
  if (opening === undefined || closing === undefined) return {};
  const left = kind === 'bank' ? await leftBank(sql, opening - closing) : netThere;
  if (left === undefined || (await hasOtherCurrency(sql))) return {};
  const unexplained = closing - (opening - left);
  if (unexplained !== 0n) {
    await insertDifferences(sql, [
      {
        kind: 'file_does_not_add_up',
        at: to,
        amount: unexplained < 0n ? -unexplained : unexplained,
        effect: 0n,
        here: `the lines lead to ${formatAmount(opening - left)}`,
        there: `closing balance ${formatAmount(closing)}`,
      },
    ]);
  }
  return {
    opening: formatAmount(opening),
    closing: formatAmount(closing),
    unexplained: formatAmount(unexplained),
  };
}

/** Checks that the balance of each line follows from the line before. */
async function checkBalances(sql: Sql, { balances }: Reported): Promise<Record<string, string>> {
  if (balances === undefined || balances.broken + balances.followed === 0) return {};
  await insertDifferences(
    sql,
    balances.breaks.map(({ line, at, balance, expected }) => {
      const apart = balance - expected;
      return {
        kind: 'balance_does_not_follow',
        line: BigInt(line),
        at,
        amount: apart < 0n ? -apart : apart,
        effect: 0n,
        here: `the line before leads to ${formatAmount(expected)}`,
        there: `line ${line}: balance ${formatAmount(balance)}`,
      };
    }),
  );
  return { balances_followed: String(balances.followed), balances_broken: String(balances.broken) };
}

/** Returns the amount that left a bank account. The bank may deduct its fees at once or later. */
async function leftBank(sql: Sql, left: bigint): Promise<bigint> {
  const { gross, fees } = await sumLines(sql);
  return gross === left ? gross : gross + fees;
}

/** The differences of a line, or of a record of ours, that could not be compared. */
const NOT_COMPARED: readonly DifferenceKind[] = [
  'payment_without_id',
  'reversal_unknown_here',
  'at_the_edge',
];

/**
 * Accounts for every line: each is compared, or skipped for a stated reason. `complete` means that
 * all lines and all our records of the period were compared, so no difference means that both sides
 * agree.
 */
async function accountFor(
  sql: Sql,
  { party, period }: Wanted,
  source: RunRow['source'],
  reported: Reported,
  kinds: readonly { readonly kind: DifferenceKind }[],
) {
  const explained = { ...reported.leftOut, ...(await explainLines(sql, party)) };
  const cut = await countCutRecipients(sql);
  const isCompared = !kinds.some(({ kind }) => NOT_COMPARED.includes(kind));
  const isNamed = period.from !== undefined || reported.span !== undefined;
  return {
    explained: Object.entries(explained)
      .filter(([, lines]) => lines > 0)
      .map(([reason, lines]) => ({ reason, lines })),
    ...(cut > 0 && { recipients_cut: cut }),
    complete: source !== 'questions' && isNamed && cut === 0 && isCompared,
  };
}

async function applyAll(
  sql: Sql,
  reconciling: Reconciling,
  { party }: Wanted,
  isContradicted: boolean,
  onProgress: OnProgress,
): Promise<void> {
  const applying: Applying = {
    ...reconciling,
    party,
    isContradicted,
    isReversed: ({ reference }) => isReportedReversed(sql, reference ?? ''),
  };
  let done = 0;
  const slices = readSlices(
    0,
    (after, limit) => listFound(sql, after, limit),
    ({ number }) => number,
  );
  for await (const found of slices) {
    for (const difference of found) {
      const applied = await applyDifference(applying, difference);
      if (applied !== undefined) await markApplied(sql, difference.number, applied);
      done += 1;
      onProgress({ step: 'applying', done, unit: 'differences looked at' });
    }
  }
}

function textsOf(sums: Sums): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(sums)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [snake(name), typeof value === 'bigint' ? formatAmount(value) : (value ?? 0)]),
  );
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

async function kindsOf(sql: Sql) {
  const kinds = await countKinds(sql);
  return kinds.map(({ kind, count, effect, applied }) => ({
    kind,
    count: Number(count),
    effect: formatAmount(effect),
    applied: Number(applied),
  }));
}
