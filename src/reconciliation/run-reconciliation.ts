/**
 * One reconciliation from beginning to end, on one connection: what is told is taken in, compared,
 * applied where that was asked for, and the run is stored with its differences.
 *
 * Guarantees: without `apply` nothing but the run is stored; a run that dies leaves nothing, except
 * what it had applied by then, each whole; the memory it takes does not grow with the file.
 */
import type { FundingProvider } from '../banks/funding-provider.ts';
import type { Database, Sql } from '../db/database.ts';
import { type Actor, actorOf } from '../kernel/actor.ts';
import { invariant, OperationError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { formatAmount } from '../kernel/money.ts';
import type { ApprovalLimits } from '../kernel/operation.ts';
import type { OnProgress } from '../kernel/progress.ts';
import type { Provider } from '../providers/provider.ts';
import { readList } from '../providers/read-list.ts';
import { readLinePages } from '../statements/read-pages.ts';
import type { Period } from '../statements/statement-line.ts';
import type { StatementMapping } from '../statements/statement-mapping.ts';
import type { Asker } from '../vending/doubt/ask-vend.ts';
import { type Applying, applyDifference } from './apply-difference.ts';
import { countCutRecipients, explainLines } from './explained-store.ts';
import type { FoundParty } from './find-party.ts';
import { notePending } from './note-pending.ts';
import { reconcileBank } from './reconcile-bank.ts';
import { type ProviderSums, reconcileProvider } from './reconcile-provider.ts';
import { countKinds, type RunRow, storeRun } from './run-store.ts';
import { type StatementFile, type Told, takeFile, takeList } from './told-source.ts';
import {
  hasOtherCurrency,
  insertDifferences,
  isToldReversed,
  listFound,
  makeToldTables,
  markApplied,
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

type Taken = { readonly source: RunRow['source']; readonly told: Told };

const NOTHING: Told = { lines: 0, span: undefined, opening: undefined, closing: undefined, leftOut: {} };

/** Gives the id of the stored run. Throws OperationError. */
export async function runReconciliation(
  reconciling: Reconciling,
  wanted: Wanted,
  onProgress: OnProgress,
): Promise<string> {
  const startedAt = reconciling.clock.now();
  const id = newId();
  await reconciling.database.session(async (sql) => {
    await makeToldTables(sql);
    const { source, told } = await takeTold(sql, reconciling, wanted, startedAt, onProgress);
    const period = periodOf(wanted.period, told, startedAt);
    const sums = await compare(sql, wanted, source, period, onProgress);
    const file = {
      ...(await checkFile(sql, wanted.party, told, sums, period)),
      ...(await checkBalances(sql, told)),
    };
    const lines = await accountFor(sql, wanted, source, told);
    if (wanted.apply) await applyAll(sql, reconciling, wanted, onProgress);
    const { name: run_by, principal: run_principal } = actorOf(reconciling.actor);
    await storeRun(sql, {
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
    });
  });
  return id;
}

async function takeTold(
  sql: Sql,
  reconciling: Reconciling,
  { party, file, mapping, period }: Wanted,
  now: Date,
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
  invariant(period.from !== undefined, 'what is asked for has a beginning');
  const whole = { from: period.from, to: period.to ?? now };
  if (party.kind === 'bank') {
    await using opened = await reconciling.openBanks();
    const bank = opened.banks.get(party.name);
    if (bank?.listTransactions === undefined) throw notConfigured(party);
    const lines = readLinePages(party.name, bank.listTransactions, whole);
    return { source: 'list', told: await takeList(sql, lines, onProgress) };
  }
  await using opened = await reconciling.openProviders();
  const provider: Provider | undefined = opened.providers.get(party.name);
  if (provider === undefined) throw notConfigured(party);
  const hasList = provider.listOrders !== undefined;
  if (!hasList) return { source: 'questions', told: NOTHING };
  return { source: 'list', told: await takeList(sql, readList(provider, whole), onProgress) };
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
        vend_id: null,
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
        vend_id: null,
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
