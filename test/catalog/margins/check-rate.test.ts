/** Exchange rates that count as mistakes without an earlier rate. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GoodsCurrency, goodsCurrencies, parseRate } from '../../../src/catalog/fx-rate.ts';
import { checkRate } from '../../../src/catalog/margins/check-rate.ts';

/** Near those of 2026. */
const rates = { USD: '1545', EUR: '1790.50', GBP: '2065.25', CAD: '1105.75', AED: '420.70' } as const;

function rated(currency: GoodsCurrency, rate: string) {
  const rateMicro = parseRate(rate);
  assert.ok(rateMicro !== undefined);
  return { currency, rateMicro };
}

test('accepts any first rate, but not a tenfold or tenfold smaller one', () => {
  for (const currency of goodsCurrencies) {
    const { rateMicro } = rated(currency, rates[currency]);
    assert.equal(checkRate({ currency, rateMicro }, []), undefined, currency);
    for (const slip of [rateMicro / 10n, rateMicro * 10n, rateMicro / 100n]) {
      assert.equal(checkRate({ currency, rateMicro: slip }, [])?.from, undefined);
      assert.ok(checkRate({ currency, rateMicro: slip }, []), currency);
    }
  }
});

test('compares a rate with other rates rather than with its own old one', () => {
  const others = goodsCurrencies.map((currency) => rated(currency, rates[currency]));
  for (const one of others) assert.equal(checkRate(one, others), undefined, one.currency);
  assert.equal(checkRate(rated('USD', '15.45'), [rated('USD', '15.45')])?.from, undefined);
  assert.equal(checkRate(rated('GBP', '1065.25'), [rated('USD', '1545')])?.from, 'USD');
  assert.equal(checkRate(rated('AED', '1545'), [rated('USD', '1545')])?.from, 'USD');
  // One of the others may be wrong itself, or two of them may disagree.
  const wrong = rated('EUR', '17.90');
  assert.equal(checkRate(rated('USD', '1500'), [wrong, rated('GBP', '2065')]), undefined);
  assert.ok(checkRate(rated('USD', '15.45'), [wrong, rated('GBP', '2065')]));
  assert.ok(checkRate(rated('USD', '15.45'), [wrong, rated('GBP', '2065'), rated('CAD', '1105')]));
  // Whatever the naira is worth, the ratios between currencies stay the same.
  assert.equal(checkRate(rated('EUR', '11400'), [rated('USD', '10000')]), undefined);
});
