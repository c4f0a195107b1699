/** The commands that correct the differences of a reconciliation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correctionOf, correctionsText } from '../../src/cli/correction-text.ts';

type Page = Parameters<typeof correctionsText>[0];
type Difference = Parameters<typeof correctionOf>[0];

const unknownHere: Difference = {
  party: 'vtpass',
  number: 1,
  kind: 'unknown_here',
  meaning: '',
  line: 4,
  reference: '2026112210300000',
  provider_id: '17',
  merchant: null,
  purchase: null,
  at: '2026-11-22T10:30:00+01:00',
  age_seconds: 60,
  amount: '97.00',
  effect: '97.00',
  here: 'unknown',
  there: 'delivered',
  applied: null,
  verdict: 'open',
  reason: null,
  listed: null,
};

/** Returns the first two words of the command that is printed. */
function printed(changes: Partial<Difference>): string | undefined {
  const page = { run: { environment: 'live' }, data: [{ ...unknownHere, ...changes }], cursor: null };
  return /1: \.\/oja (\S+ \S+)/.exec(correctionsText(page as unknown as Page))?.[1];
}

test('books the cost of an unknown order only once it is dismissed', () => {
  assert.equal(printed({}), 'finding enter');
  assert.equal(printed({ verdict: 'repeated' }), undefined);
  assert.equal(printed({ verdict: 'entered', applied: 'entered as a purchase' }), undefined);
  assert.equal(printed({ verdict: 'dismissed', applied: 'dismissed' }), 'float charge');
});

test('quotes the provider’s message for the shell', () => {
  const command = correctionOf({ ...unknownHere, verdict: 'dismissed', there: "it's; rm -rf" }, 'live');
  assert.ok(command?.endsWith(`--reason 'vtpass reports it'\\''s; rm -rf'`));
});
