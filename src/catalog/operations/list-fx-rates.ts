/** Lists the current exchange rates, or the whole history. */

import { Type } from 'typebox';
import { percentText } from '../../core/money.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import { inputOf, numberedPageFields, oneOf, pageOf, timeOutput } from '../../core/operation-fields.ts';
import { pageOfRead, pageOfWhole } from '../../core/page.ts';
import type { Sql } from '../../db/database.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { formatRate, type GoodsCurrency, goodsCurrencies } from '../fx-rate.ts';
import { type FxRateEntry, listFxHistory, listFxRates } from '../fx-rate-store.ts';

export const fxRateOutput = Type.Object({
  currency: oneOf(goodsCurrencies),
  rate: Type.String(),
  /** In percent above the rate, such as `3.5`. */
  margin: Type.String(),
  at: timeOutput,
  actor: Type.String(),
});

/** Returns an exchange rate as output. */
export function fxRateAnswer(entry: FxRateEntry) {
  return { ...entry, rate: formatRate(entry.rateMicro), margin: percentText(entry.marginBasisPoints) };
}

export const listFxRatesOperation = defineOperation({
  name: 'fx.list',
  kind: 'question',
  summary: 'list the current exchange rates, or all rates so far, newest first',
  roles,
  route: 'GET /exchange-rates',
  document: 'operators/guards.md',
  input: inputOf({
    history: Type.Optional(Type.Boolean({ description: 'true for all previous rates as well' })),
    currency: Type.Optional(oneOf(goodsCurrencies)),
    ...numberedPageFields,
  }),
  output: pageOf(fxRateOutput),
  run: async ({ sql }: Asking, { history = false, currency, limit = 50, cursor }) => {
    const page = history
      ? await historyPage(sql, { currency, limit, cursor })
      : await presentPage(sql, { currency, limit, cursor });
    return { data: page.data.map(fxRateAnswer), cursor: page.cursor };
  },
});

type Wanted = {
  readonly currency: GoodsCurrency | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
};

async function historyPage(sql: Sql, { currency, limit, cursor }: Wanted) {
  const after = cursor === undefined ? undefined : BigInt(cursor);
  return pageOfRead(await listFxHistory(sql, { currency, after, limit: limit + 1 }), limit, cursorOf);
}

/** Lists the current rates: at most one for each currency. */
async function presentPage(sql: Sql, { currency, limit, cursor }: Wanted) {
  const rates = await listFxRates(sql);
  const wanted = rates.filter((rate) => currency === undefined || rate.currency === currency);
  return pageOfWhole(wanted, { limit, cursor }, cursorOf);
}

function cursorOf({ id }: FxRateEntry): string {
  return String(id);
}
