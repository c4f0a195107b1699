/** The exchange rate that goods in a currency are priced with. */
import { GatewayError } from '../kernel/errors.ts';
import type { Catalog } from './catalog.ts';
import type { FxRate, GoodsCurrency } from './fx-rate.ts';

/** Throws GatewayError `no_exchange_rate`: without a rate nothing of the currency is sold. */
export function requireRate(catalog: Pick<Catalog, 'fxRate'>, currency: GoodsCurrency): FxRate {
  const rate = catalog.fxRate(currency);
  if (rate !== undefined) return rate;
  throw new GatewayError({ code: 'no_exchange_rate', currency });
}
