/** Schemas and mappers of a reconciliation and its differences, as operations answer them. */
import { Type } from 'typebox';
import { accountOutput } from '../../core/account-names.ts';
import { actionOutput } from '../../core/action.ts';
import { OperationError } from '../../core/errors.ts';
import { formatAmount } from '../../core/money.ts';
import { nullable, nullableText } from '../../core/nullable.ts';
import { environmentField, oneOf, pageOf, timeOutput } from '../../core/operation-fields.ts';
import type { Sql } from '../../db/database.ts';
import { correctionsOf } from './correct-difference.ts';
import { type DifferenceKind, differenceKinds } from './difference.ts';
import {
  type FindingVerdict,
  findingVerdicts,
  type ListedOrder,
  type OpenReason,
  openReasons,
} from './finding.ts';
import { type DifferenceRow, findRun, listDifferences, type RunRow } from './run-store.ts';

export const runOutput = Type.Object({
  id: Type.String(),
  /** The provider or bank. */
  party: accountOutput,
  environment: environmentField,
  source: oneOf(['file', 'list', 'questions'] as const),
  file: nullableText,
  from: timeOutput,
  to: timeOutput,
  applied: Type.Boolean(),
  lines: Type.Integer(),
  differences: Type.Integer(),
  /** The sums of both sides, and the number of differences of each kind. */
  summary: Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { additionalProperties: true })),
  run_by: Type.String(),
  started_at: timeOutput,
  ended_at: timeOutput,
});

export function runAnswer(row: RunRow) {
  return { ...row, file: row.file_name, from: row.from_at, to: row.to_at, ended_at: row.at };
}

export const differenceOutput = Type.Object({
  /** The provider or bank. */
  party: accountOutput,
  number: Type.Integer(),
  kind: Type.String(),
  meaning: Type.String(),
  /** The line of the file, or the place in the list. */
  line: nullable(Type.Integer()),
  /** Our reference at the provider, or the id of the deposit. */
  reference: nullableText,
  provider_id: nullableText,
  merchant: nullableText,
  purchase: nullableText,
  at: timeOutput,
  age_seconds: Type.Integer(),
  amount: Type.String(),
  /** The amount by which it makes the real money less than in the books. */
  effect: Type.String(),
  here: Type.String(),
  there: Type.String(),
  applied: nullableText,
  /** The decision about an order that is unknown here; `open` if it needs one. */
  verdict: nullable(oneOf(findingVerdicts)),
  /** Why the decision is open, and what resolves it. */
  reason: nullableText,
  /** The order as its provider lists it. */
  listed: nullable(
    Type.Object({
      state: Type.String(),
      product: nullableText,
      network: nullableText,
      recipient: nullableText,
      amount: nullableText,
      currency: Type.String(),
      /** Its reference carries our mark, which identifies the purchase. */
      marked: Type.Boolean(),
    }),
  ),
  /** The operations that correct it, the likeliest first. */
  actions: Type.Array(actionOutput),
});

export function differenceAnswer(row: DifferenceRow, now: Date) {
  const { listed, verdict, reason } = row;
  const difference = {
    ...row,
    meaning: differenceKinds[row.kind as DifferenceKind] ?? row.kind,
    merchant: row.merchant_code,
    age_seconds: Math.max(0, Math.round((now.getTime() - row.at.getTime()) / 1_000)),
    amount: formatAmount(row.amount),
    effect: formatAmount(row.effect),
    applied: row.applied ?? settledText(verdict),
    reason: verdict === 'open' ? reasonText(reason, listed) : null,
    listed: listed && {
      ...listed,
      product: listed.product,
      network: listed.network,
      recipient: listed.recipient,
      amount: listed.amount,
      marked: listed.isMarked,
    },
  };
  return { ...difference, actions: correctionsOf(difference, row.environment) };
}

function reasonText(reason: OpenReason | null, listed: ListedOrder | null): string | null {
  if (reason !== null) return openReasons[reason];
  return listed?.isMarked === false ? openReasons.no_mark : null;
}

function settledText(verdict: FindingVerdict | null): string | null {
  if (verdict === 'entered') return 'entered as a purchase';
  if (verdict === 'attempt') return 'recorded at its purchase';
  return verdict === 'dismissed' ? 'dismissed' : null;
}

export const reconciliationOutput = pageOf(differenceOutput, { run: runOutput });

/** Reads a page of a run's differences. Throws OperationError `no_reconciliation`. */
export async function reconciliationAnswer(
  sql: Sql,
  id: string,
  { after, limit, now }: { readonly after: number; readonly limit: number; readonly now: Date },
) {
  const run = await findRun(sql, id);
  if (run === undefined) throw new OperationError({ code: 'no_reconciliation', run: id });
  const rows = await listDifferences(sql, run.id, after, limit + 1);
  const page = rows.slice(0, limit);
  return {
    run: runAnswer(run),
    data: page.map((row) => differenceAnswer(row, now)),
    cursor: rows.length > limit ? String(page.at(-1)?.number ?? 0) : null,
  };
}
