/**
 * One reconciliation from beginning to end, on one connection: what is told is taken in, compared,
 * applied where that was asked for, and the run is stored with its differences.
 *
 * Guarantees: without `apply` nothing but the run is stored; a run that dies leaves nothing, except
 * what it had applied by then, each whole; the memory it takes does not grow with the file.
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
import { type FenceRow, findFence } from '../../purchases/engine/fence-store.ts';
import type { Asker } from '../../purchases/unresolved/query-purchase.ts';
import { type Applying, applyDifference } from './apply-difference.ts';
import { listFrom } from './coverage-store.ts';
import { countCutRecipients, explainLines } from './explained-store.ts';
import type { FoundParty } from './find-party.ts';
import { notePending } from './note-pending.ts';
import { reconcileBank } from './reconcile-bank.ts';
import { type ProviderSums, reconcileProvider } from './reconcile-provider.ts';
import { type Covered, countKinds, type RunRow, storeRun } from './run-store.ts';
import { settleFindings } from './settle-findings.ts';
import { type StatementFile, type Told, takeFile, takeList } from './told-source.ts';
import {
  clearFindingMends,
  hasOtherCurrency,
  insertDifferences,
  isToldReversed,
  listFound,
  makeToldTables,
  markApplied,
  readOrderSpan,
  removeRepeatedPayments,
  sumLines,
} from './told-store.ts';

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

type Taken = {
  readonly source: RunRow['source'];
  readonly told: Told;
  /** Of a list: what was asked for. */
  readonly asked?: Period;
};

const DAY_MS = 24 * 3_600_000;

const NOTHING: Told = { lines: 0, span: undefined, opening: undefined, closing: undefined, leftOut: {} };

/** Gives the id of the stored run. Throws OperationError. */
export async function runReconciliation(
  reconciling: Reconciling,
  wanted: Wanted,
  onProgress: OnProgress,
): Promise<string> {
  const startedAt = reconciling.clock.now();
  const id = newId();
  const { kind, environment } = wanted.party;
  const isLive = kind === 'provider' && environment === 'live';
  const fence = isLive ? await findFence(reconciling.database) : undefined;
  await reconciling.database.session(async (sql) => {
    await makeToldTables(sql);
    const { source, told, asked } = await takeTold(
      sql,
      reconciling,
      wanted,
      { now: startedAt, fence },
      onProgress,
    );
    const period = asked ?? periodOf(wanted.period, told, startedAt);
    const sums = await compare(sql, wanted, source, period, onProgress);
    // A charge would hide a purchase that may have been lost.
    if (fence !== undefined) await clearFindingMends(sql);
    const file = {
      ...(await checkFile(sql, wanted.party, told, sums, period)),
      ...(await checkBalances(sql, told)),
    };
    const lines = await accountFor(sql, wanted, source, told);
    if (wanted.apply) await applyAll(sql, reconciling, wanted, onProgress);
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
      lines: BigInt(told.lines),
      summary: { ...textsOf(sums), ...file, ...lines, kinds: await kindsOf(sql) },
      run_by,
      run_principal,
      started_at: startedAt,
    };
    await storeRun(sql, run, await coverOf(sql, wanted, source, period, startedAt));
  });
  if (wanted.apply && fence !== undefined) await enterLost(reconciling, fence, onProgress);
  return id;
}

async function enterLost(
  { database, actor }: Reconciling,
  fence: FenceRow,
  onProgress: OnProgress,
): Promise<void> {
  const catalog = await loadCatalog(database);
  await settleFindings({ database, catalog, actor }, fence, onProgress);
}

/**
 * The time of which the other side has told every order; undefined where it proves nothing. A list
 * has the time that it was asked for. A file has the time from its first order to its last: what
 * goes beyond is for a person to say, by naming the period.
 */
async function coverOf(
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
  // What is still to come is covered by nothing.
  const end = until < now ? until : now;
  return from > end ? undefined : { from, until: end };
}

async function takeTold(
  sql: Sql,
  reconciling: Reconciling,
  { party, file, mapping, period }: Wanted,
  { now, fence }: { readonly now: Date; readonly fence: FenceRow | undefined },
  onProgress: OnProgress,
): Promise<Taken> {
  if (file !== undefined) {
    const used = mapping ?? party.mapping;
    if (used === undefined) throw new OperationError({ code: 'no_statement_mapping', party: party.name });
    const told = await takeFile(sql, file, used, period, onProgress);
    if (party.kind === 'provider') return { source: 'file', told };
    const leftOut = { ...told.leftOut, repeated: await removeRepeatedPayments(sql) };
    return { source: 'file', told: { ...told, leftOut } };
  }
  const whole = { from: period.from ?? listedFrom(fence, period.to ?? now), to: period.to ?? now };
  if (party.kind === 'bank') {
    await using opened = await reconciling.openBanks();
    const bank = opened.banks.get(party.name);
    if (bank?.listTransactions === undefined) throw notConfigured(party);
    const lines = readLinePages(party.name, bank.listTransactions, whole);
    return { source: 'list', told: await takeList(sql, lines, onProgress), asked: whole };
  }
  await using opened = await reconciling.openProviders();
  const provider: Provider | undefined = opened.providers.get(party.name);
  if (provider === undefined) throw notConfigured(party);
  const hasList = provider.listOrders !== undefined;
  if (!hasList) return { source: 'questions', told: NOTHING, asked: whole };
  const told = await takeList(sql, readLinePages(provider.name, provider.listOrders, whole), onProgress);
  return { source: 'list', told, asked: whole };
}

/** After a restore from before the loss on, else from the day before the last. */
function listedFrom(fence: FenceRow | undefined, end: Date): Date {
  if (fence !== undefined) return listFrom(fence);
  const day = parseDay(formatDay(new Date(end.getTime() - 1))) ?? end;
  return new Date(day.getTime() - DAY_MS);
}

function notConfigured({ name }: FoundParty): OperationError {
  return new OperationError({ code: 'party_not_configured', party: name });
}

/** Without a named period, the period of a file is that of its lines. */
function periodOf({ from, to }: Partial<Period>, { span }: Told, now: Date): Period {
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
  if (source === 'questions') return { pending: await notePending(sql, party) };
  return { ...(await reconcileProvider(sql, party, period, onProgress)) };
}

/** Whether the file itself leads from its opening to its closing balance. */
async function checkFile(
  sql: Sql,
  { kind }: FoundParty,
  { opening, closing }: Told,
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
        line: null,
        reference: null,
        provider_id: null,
        merchant_id: null,
        purchase_id: null,
        at: to,
        amount: unexplained < 0n ? -unexplained : unexplained,
        effect: 0n,
        here: `its lines lead to ${formatAmount(opening - left)}`,
        there: `closing balance ${formatAmount(closing)}`,
        mend: null,
        purchase: null,
      },
    ]);
  }
  return {
    opening: formatAmount(opening),
    closing: formatAmount(closing),
    unexplained: formatAmount(unexplained),
  };
}

/** Whether the balance of each line follows from the line before. Breaks are differences. */
async function checkBalances(sql: Sql, { balances }: Told): Promise<Record<string, string>> {
  if (balances === undefined || balances.broken + balances.followed === 0) return {};
  await insertDifferences(
    sql,
    balances.breaks.map(({ line, at, balance, expected }) => {
      const apart = balance - expected;
      return {
        kind: 'balance_does_not_follow',
        line: BigInt(line),
        reference: null,
        provider_id: null,
        merchant_id: null,
        purchase_id: null,
        at,
        amount: apart < 0n ? -apart : apart,
        effect: 0n,
        here: `the line before leads to ${formatAmount(expected)}`,
        there: `line ${line}: balance ${formatAmount(balance)}`,
        mend: null,
        purchase: null,
      };
    }),
  );
  return { balances_followed: String(balances.followed), balances_broken: String(balances.broken) };
}

/** A bank's fees may be off the balance at once, or later. */
async function leftBank(sql: Sql, left: bigint): Promise<bigint> {
  const { gross, fees } = await sumLines(sql);
  return gross === left ? gross : gross + fees;
}

/**
 * Every line is compared or explained by a reason. `complete`: all lines and all records of ours of
 * the period were compared, so that no difference means that both sides are the same.
 */
async function accountFor(sql: Sql, { party, period }: Wanted, source: RunRow['source'], told: Told) {
  const explained = { ...told.leftOut, ...(await explainLines(sql, party)) };
  const cut = await countCutRecipients(sql);
  const isNamed = period.from !== undefined || told.span !== undefined;
  return {
    explained: Object.entries(explained)
      .filter(([, lines]) => lines > 0)
      .map(([reason, lines]) => ({ reason, lines })),
    ...(cut > 0 && { recipients_cut: cut }),
    complete: source !== 'questions' && isNamed && cut === 0,
  };
}

const APPLIED_AT_ONCE = 200;

async function applyAll(
  sql: Sql,
  reconciling: Reconciling,
  { party }: Wanted,
  onProgress: OnProgress,
): Promise<void> {
  const applying: Applying = {
    ...reconciling,
    party,
    isReversed: ({ reference }) => isToldReversed(sql, reference ?? ''),
  };
  let done = 0;
  for (let after = 0; ; ) {
    const found = await listFound(sql, after, APPLIED_AT_ONCE);
    for (const difference of found) {
      const applied = await applyDifference(applying, difference);
      if (applied !== undefined) await markApplied(sql, difference.number, applied);
      done += 1;
      onProgress({ step: 'applying', done, unit: 'differences looked at' });
    }
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.number;
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
