/** What a reconciliation after a restore found, as the operation answers it. */
import { type Static, Type } from 'typebox';
import type { Database } from '../db/database.ts';
import { formatRfc3339 } from '../kernel/clock.ts';
import { formatAmount, parseFormatted } from '../kernel/money.ts';
import { textOrNull } from '../kernel/or-null.ts';
import { merchantCodeOf } from '../merchants/merchant-store.ts';
import { foundAnswer, foundOutput } from './found-answer.ts';
import type { FoundPurchase, Reconciled, ReconciledProvider } from './reconcile-restore.ts';
import type { ProviderGap } from './reconciled-provider-store.ts';
import { listedOf } from './settle-found.ts';

/** Of which so many are told; there is a list of all that are stored. */
const TOLD_MAX = 200;

const sum = {
  orders: Type.Integer(),
  entered: Type.Integer(),
  attempts: Type.Integer(),
  left: Type.Integer(),
};

export const reconciledOutput = Type.Object({
  applied: Type.Boolean(),
  from: Type.String(),
  until: Type.String(),
  /** Nothing is missing and nothing is left. */
  complete: Type.Boolean(),
  /** Left by earlier runs, and not in these lists. */
  left_before: Type.Integer(),
  providers: Type.Array(
    Type.Object({
      provider: Type.String(),
      source: Type.Union([Type.Literal('asked'), Type.Literal('file'), Type.Literal('missing')]),
      /** What to do where its list is missing, or has not the whole time. */
      trouble: textOrNull,
      first_at: textOrNull,
      last_at: textOrNull,
      /** Parts of the lost time that neither this list nor an earlier one has. */
      lacks: Type.Array(Type.Object({ from: Type.String(), until: Type.String() })),
      ...sum,
    }),
  ),
  merchants: Type.Array(Type.Object({ merchant: Type.String(), ...sum, amount: Type.String() })),
  found_total: Type.Integer(),
  found: Type.Array(foundOutput),
});

type Answer = Static<typeof reconciledOutput>;

export async function reconciledAnswer(
  database: Database,
  { providers, purchases, gaps, leftBefore }: Reconciled,
  { from, until, apply }: { readonly from: Date; readonly until: Date; readonly apply: boolean },
): Promise<Answer> {
  const rows = await rowsOf(database, purchases);
  return {
    applied: apply,
    from: formatRfc3339(from),
    until: formatRfc3339(until),
    complete:
      providers.every(({ source }) => source !== undefined) &&
      gaps.length === 0 &&
      leftBefore === 0 &&
      rows.every(({ verdict }) => verdict !== 'left'),
    left_before: leftBefore,
    providers: providers.map((told) => ({
      provider: told.provider,
      source: told.source ?? 'missing',
      trouble: troubleOf(told, gapsOf(told, gaps)),
      ...sumOf(rows.filter(({ provider }) => provider === told.provider)),
      orders: told.orders,
      first_at: told.first === undefined ? null : formatRfc3339(told.first),
      last_at: told.last === undefined ? null : formatRfc3339(told.last),
      lacks: gapsOf(told, gaps).map((gap) => ({
        from: formatRfc3339(gap.from),
        until: formatRfc3339(gap.until),
      })),
    })),
    merchants: byMerchant(rows),
    found_total: rows.length,
    found: rows.slice(0, TOLD_MAX),
  };
}

function gapsOf({ provider }: ReconciledProvider, gaps: readonly ProviderGap[]): readonly ProviderGap[] {
  return gaps.filter((gap) => gap.provider === provider);
}

function troubleOf(
  { provider, source, trouble }: ReconciledProvider,
  [gap]: readonly ProviderGap[],
): string | null {
  if (source === 'asked')
    return gap === undefined ? null : 'it was not asked for the whole time: give no --from';
  if (source === 'file') {
    return gap === undefined
      ? null
      : `nothing is known from ${formatRfc3339(gap.from)} to ${formatRfc3339(gap.until)}: give a file of it, or say which time the file has by --files-from and --files-to`;
  }
  return trouble === undefined
    ? `it cannot be asked: get its statement of the time, and give it as ${provider}=FILE`
    : `${trouble}: try again, or give its statement as ${provider}=FILE`;
}

type Row = Static<typeof foundOutput>;

async function rowsOf(database: Database, purchases: readonly FoundPurchase[]): Promise<Row[]> {
  const codes = new Map<number, string>();
  const rows: Row[] = [];
  for (const { orders, settled } of purchases) {
    const { merchantId, verdict, reason = '', vendId } = settled;
    if (merchantId !== undefined && !codes.has(merchantId)) {
      codes.set(merchantId, await merchantCodeOf(database, merchantId));
    }
    const merchant = merchantId === undefined ? null : (codes.get(merchantId) ?? null);
    for (const order of orders) {
      const { provider, reference } = order;
      const listed = listedOf(order);
      rows.push(
        foundAnswer({ provider, reference, verdict, reason, merchant, vend_id: vendId ?? null, listed }),
      );
    }
  }
  return rows;
}

function sumOf(rows: readonly Row[]) {
  const count = (wanted: Row['verdict']): number => rows.filter(({ verdict }) => verdict === wanted).length;
  return { orders: rows.length, entered: count('entered'), attempts: count('attempt'), left: count('left') };
}

/** Amounts in naira alone, as the providers list them. */
function byMerchant(rows: readonly Row[]): Answer['merchants'] {
  const groups = Map.groupBy(rows, ({ merchant }) => merchant ?? 'not known');
  return [...groups].map(([merchant, ofMerchant]) => {
    const amounts = ofMerchant.filter(({ currency, state }) => currency === 'NGN' && state !== 'failed');
    const total = amounts.reduce((all, { amount }) => all + (parseFormatted(amount ?? '') ?? 0n), 0n);
    return { merchant, ...sumOf(ofMerchant), amount: formatAmount(total) };
  });
}
