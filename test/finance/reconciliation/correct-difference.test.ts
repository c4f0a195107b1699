/** The operations that correct the differences of a reconciliation, and their commands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationNamed } from '../../../src/backoffice/operations/registry.ts';
import { lineOf } from '../../../src/cli/program.ts';
import {
  type AnsweredDifference,
  correctionsOf,
} from '../../../src/finance/reconciliation/correct-difference.ts';
import { differenceKinds } from '../../../src/finance/reconciliation/difference.ts';

const unknownHere: AnsweredDifference = {
  party: 'vtpass',
  kind: 'unknown_here',
  reference: '2026112210300000',
  merchant: null,
  purchase: null,
  amount: '97.00',
  effect: '97.00',
  there: 'delivered',
  applied: null,
  verdict: 'open',
};

function operationsOf(changes: Partial<AnsweredDifference>): string[] {
  return correctionsOf({ ...unknownHere, ...changes }, 'live').map(({ operation }) => operation);
}

test('enters or dismisses an unknown order, and books its cost only once it is dismissed', () => {
  assert.deepEqual(operationsOf({}), ['finding.enter', 'finding.dismiss']);
  assert.deepEqual(operationsOf({ verdict: 'repeated' }), []);
  assert.deepEqual(operationsOf({ verdict: 'entered', applied: 'entered as a purchase' }), []);
  assert.deepEqual(operationsOf({ verdict: 'dismissed', applied: 'dismissed' }), ['float.charge']);
});

test('refunds a purchase that the provider reversed, and leaves one that is corrected', () => {
  const reversed = { kind: 'failed_there_success_here', verdict: null, purchase: 'inv-1', merchant: 'SHOP' };
  assert.deepEqual(operationsOf(reversed), ['purchase.provider_refund', 'purchase.refund']);
  assert.deepEqual(operationsOf({ ...reversed, applied: 'booked 97.00 that vtpass returned' }), []);
});

test('assigns a deposit without a merchant', () => {
  const [action] = correctionsOf({ ...unknownHere, kind: 'deposit_unassigned', verdict: null }, 'live');
  assert.deepEqual(action, { operation: 'deposit.assign', input: { deposit: unknownHere.reference } });
});

test('names only inputs that the operations have, and a command for each', () => {
  for (const kind of Object.keys(differenceKinds)) {
    for (const purchase of [null, 'inv-1']) {
      for (const effect of ['97.00', '-97.00']) {
        const difference = { ...unknownHere, kind, purchase, effect, merchant: 'SHOP', verdict: null };
        for (const action of correctionsOf(difference, 'live')) {
          const { properties } = operationNamed(action.operation).input;
          const unknown = Object.keys(action.input).filter((name) => properties[name] === undefined);
          assert.deepEqual(unknown, [], `${kind}: ${action.operation}`);
          assert.ok(lineOf(action), `${kind}: ${action.operation}`);
        }
      }
    }
  }
});

test('quotes the provider’s message for the shell', () => {
  const there = "it's; rm -rf";
  const [action] = correctionsOf({ ...unknownHere, verdict: 'dismissed', there }, 'live');
  assert.ok(action && lineOf(action)?.includes(`--reason 'vtpass reports it'\\''s; rm -rf'`));
});
