/**
 * Amounts and rates at the command line: everywhere a person types one, it is read in the same way.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../src/backoffice/operations/registry.ts';
import { typedKindOf } from '../../src/core/typed-number.ts';
import { operator } from './harness.ts';

test('declares how people type each decimal field', () => {
  const unmarked = operations.flatMap(({ name, input }) =>
    Object.entries(input.properties)
      .filter(([, schema]) => /\\\.\[0-9\]\{1,/.test(String(Reflect.get(schema, 'pattern'))))
      .filter(([, schema]) => typedKindOf(schema) === undefined)
      .map(([field]) => `${name} ${field}`),
  );
  // Units of electricity are not money.
  assert.deepEqual(unmarked, ['purchase.goods units']);
});

test('refuses an ambiguous number with its field', async () => {
  await using cli = await operator();
  await cli.oja('merchant', 'create', 'SHOP', 'Shop');
  const env = ['--env', 'live'];
  for (const typed of ['600,00', '2,50', '1.560,50', '1.560', '5.005']) {
    for (const [field, args] of [
      ['amount', ['wallet', 'credit', 'SHOP', typed, ...env, '--memo', 'test']],
      ['threshold', ['wallet', 'alert', 'SHOP', typed, ...env]],
      ['floor', ['merchant', 'floor', 'SHOP', typed, ...env]],
      ['amount', ['purchase', 'refund', 'ref-1', '--amount', typed, '--reason', 'test']],
      ['amount', ['purchase', 'provider-refund', 'ref-1', '--amount', typed, '--reason', 'test']],
      ['value', ['voucher', 'issue', 'SHOP', '--value', typed, '--count', '1', ...env]],
      ['per_purchase', ['credential', 'set-caps', 'oja_live_x', '--per-purchase', typed]],
      ['amount', ['float', 'top-up', 'vtpass', typed]],
    ] as const) {
      const ran = await cli.oja(...args, '--json');
      assert.deepEqual([ran.code, ran.fields], [2, [field]], `${args.join(' ')}: ${ran.err}`);
    }
  }
  for (const rate of ['1545,25', '1.545,25', '1,54']) {
    const ran = await cli.oja('fx', 'set', 'USD', rate, '--json');
    assert.deepEqual([ran.code, ran.fields], [2, ['rate']], ran.err);
  }
  const wallet = async () => JSON.parse((await cli.oja('wallet', 'show', 'SHOP', '--json')).out).data;
  const posted = (rows: { environment: string; posted: string }[]) =>
    rows.find(({ environment }) => environment === 'live')?.posted;
  assert.equal(posted(await wallet()), '0.00');
  const credit = async (typed: string) => {
    const ran = await cli.oja('wallet', 'credit', 'SHOP', typed, ...env, '--memo', 'test');
    assert.equal(ran.code, 0, ran.err);
  };
  await credit('1,560.50');
  assert.equal(posted(await wallet()), '1560.50');
  await credit('₦600.00');
  await credit('₦-160.50');
  assert.equal(posted(await wallet()), '2000.00');
  const set = await cli.oja('fx', 'set', 'USD', '1,545.25', '--margin', '3.5%', '--json');
  assert.equal(JSON.parse(set.out).data.rate, '1545.25', set.err);
});
