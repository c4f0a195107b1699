/** Limits of providers: at once, a second, or both; anything else stops the start. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readProviderLimits } from '../../src/providers/provider-limits.ts';
import { readSettings } from '../support/read-settings.ts';

const read = (OJA_PROVIDER_LIMITS: string) =>
  readSettings((reader) => readProviderLimits(reader, ['vtpass', 'nomba', 'flutterwave-bills']), {
    OJA_PROVIDER_LIMITS,
  });

it('reads calls at once, calls a second, or both', () => {
  assert.deepEqual(read(''), { settings: new Map(), faults: [] });
  assert.deepEqual(read('vtpass=1000, nomba=@9999,flutterwave-bills=1@0,'), {
    settings: new Map([
      ['vtpass', { connectionsMax: 1_000 }],
      ['nomba', { perSecond: 9_999 }],
      ['flutterwave-bills', { connectionsMax: 1, perSecond: 0 }],
    ]),
    faults: [],
  });
});

it('refuses an unknown provider, a provider twice, and limits that are no limits', () => {
  const texts = ['vtpas=5', 'VTPASS=5', 'vtpass=5,vtpass=6', '=5', 'vtpass', 'vtpass=', 'vtpass=@'];
  const numbers = ['0', '1001', '05', '-1', '1.5', 'many', '5@', '5@-1', '5@10000', '@@', '5@6@7'];
  for (const text of [...texts, ...numbers.map((number) => `nomba=${number}`)])
    assert.deepEqual(read(text).faults, ['OJA_PROVIDER_LIMITS'], text);
});
