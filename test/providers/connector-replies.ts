/** Replies as test data, the answers to them in words, and the tests that all connectors share. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { CallResult } from '../../src/providers/http/call.ts';
import type { ProviderAnswer } from '../../src/providers/provider.ts';
import { runs } from '../support/budget.ts';

type Reply = Extract<CallResult, { kind: 'reply' }>;

export function reply(body: unknown, status = 200): Reply {
  return { kind: 'reply', status, body };
}

/** The kind of an answer, and who is at fault if it is a failure. */
export function brief(answer: ProviderAnswer): string {
  return answer.kind === 'failed' ? `failed ${answer.fault}` : answer.kind;
}

export type Read = (result: CallResult) => ProviderAnswer;

/** Tests that a call without a reply decides nothing. Only an unsent purchase is not sent. */
export function testsCallsWithoutReply(purchases: readonly Read[], queries: readonly Read[] = []): void {
  it('reads calls that did not leave as not sent, lost ones as unknown, and queries never as final', () => {
    for (const read of [...purchases, ...queries]) {
      assert.equal(read({ kind: 'lost', reason: 'no answer' }).kind, 'unknown');
      const unsent = read({ kind: 'not_sent', reason: 'breaker open' }).kind;
      assert.equal(unsent, purchases.includes(read) ? 'not_sent' : 'unknown');
    }
  });
}

/** Tests that replies without a listed word decide nothing. `others` must not throw. */
export function testsAnyReply(
  reads: readonly Read[],
  others: readonly ((result: Reply) => unknown)[] = [],
): void {
  it('reads replies of any other shape as unknown', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 200, max: 599 }), (body, status) => {
        for (const read of reads) assert.equal(read(reply(body, status)).kind, 'unknown');
        for (const read of others) read(reply(body, status));
      }),
      runs(200),
    );
  });
}
