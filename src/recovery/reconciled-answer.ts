/** What a reconciliation after a restore found, as the operation answers it. */
import { type Static, Type } from 'typebox';
import type { Database } from '../db/database.ts';
import { formatRfc3339 } from '../kernel/clock.ts';
import { formatAmount, parseFormatted } from '../kernel/money.ts';
import { merchantCodeOf } from '../merchants/merchant-store.ts';
import { foundAnswer, foundOutput } from './found-answer.ts';
import type { FoundPurchase, Reconciled, ReconciledProvider } from './reconcile-restore.ts';
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
  providers: Type.Array(
    Type.Object({
      provider: Type.String(),
      source: Type.Union([Type.Literal('asked'), Type.Literal('file'), Type.Literal('missing')]),
      /** What to do where its list is missing. */
      trouble: Type.Union([Type.String(), Type.Null()]),
      /** Of its orders: whether a file has the whole time is for a person to see. */
      first_at: Type.Union([Type.String(), Type.Null()]),
      last_at: Type.Union([Type.String(), Type.Null()]),
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
  { providers, purchases }: Reconciled,
  { from, until, apply }: { readonly from: Date; readonly until: Date; readonly apply: boolean },
): Promise<Answer> {
  const rows = await rowsOf(database, purchases);
  return {
    applied: apply,
    from: formatRfc3339(from),
    until: formatRfc3339(until),
    complete:
      providers.every(({ source }) => source !== undefined) &&
      rows.every(({ verdict }) => verdict !== 'left'),
    providers: providers.map((told) => ({
      provider: told.provider,
      source: told.source ?? 'missing',
      trouble: troubleOf(told),
      ...sumOf(rows.filter(({ provider }) => provider === told.provider)),
      orders: told.orders,
      first_at: told.first === undefined ? null : formatRfc3339(told.first),
      last_at: told.last === undefined ? null : formatRfc3339(told.last),
    })),
    merchants: byMerchant(rows),
    found_total: rows.length,
    found: rows.slice(0, TOLD_MAX),
  };
}

function troubleOf({ provider, source, trouble }: ReconciledProvider): string | null {
  if (source !== undefined) return null;
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
