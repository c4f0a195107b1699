/** The list of packages, in the provider's own figures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPackages } from '../../../src/providers/esimaccess/catalog.ts';
import type { CallResult } from '../../../src/providers/http/call.ts';

function listed(...packageList: readonly object[]): CallResult {
  const body = { success: true, errorCode: '0', obj: { packageList } };
  return { kind: 'reply', status: 200, body } as unknown as CallResult;
}

const entry = {
  slug: 'NG_1_7',
  name: 'Nigeria 1GB 7Days',
  price: 18_000,
  currencyCode: 'USD',
  durationUnit: 'DAY',
  duration: 7,
  location: 'NG',
};

test('reads a gigabyte as 1,000 MB, and half a gigabyte by its label', () => {
  for (const [volume, dataMb] of [
    [1_073_741_824, 1_000],
    [3 * 1_073_741_824, 3_000],
    [20 * 1_073_741_824, 20_000],
    [1_610_612_736, 1_500],
    [524_288_000, 500],
    [104_857_600, 100],
    [1_000_000_000, 1_000],
    [500_000_000, 500],
  ] as const) {
    assert.equal(readPackages(listed({ ...entry, volume }))?.[0]?.dataMb, dataMb, String(volume));
  }
});

test('a missing currency or unit makes a package unreadable, and another one leaves it out', () => {
  const volume = 1_073_741_824;
  const { currencyCode, durationUnit, ...bare } = entry;
  for (const fields of [
    { currencyCode },
    { durationUnit },
    {},
    { currencyCode: null, durationUnit },
    { currencyCode, durationUnit, price: '18,000' },
    ...[0, -1, null].flatMap((none) => [
      { currencyCode, durationUnit, volume: none },
      { currencyCode, durationUnit, duration: none },
    ]),
  ]) {
    const [one] = readPackages(listed({ ...bare, volume, ...fields })) ?? [];
    assert.deepEqual([one?.planCodes, one?.isUnreadable], [{ slug: 'NG_1_7' }, true], JSON.stringify(fields));
  }
  for (const slug of [undefined, null, {}]) {
    const [one] = readPackages(listed({ ...entry, volume, slug })) ?? [];
    assert.deepEqual([one?.planCodes, one?.isUnreadable], [{}, true], String(slug));
  }
  for (const fields of [
    { currencyCode: 'EUR' },
    { durationUnit: 'MONTH' },
    { currencyCode: 'EUR', slug: null },
  ]) {
    assert.deepEqual(readPackages(listed({ ...entry, volume, ...fields })), []);
  }
  assert.equal(readPackages(listed({ ...entry, volume, currencyCode: 'usd' }))?.[0]?.price, 180n);
});
