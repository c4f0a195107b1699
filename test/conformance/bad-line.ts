/** Tests of a connector over a bad line, which hold for most providers: each fault is a test. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Provider, ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { plain } from './provider-suite.ts';

/** An open connector and its simulated provider. */
type Line = {
  readonly bench: {
    readonly provider: Provider;
    readonly secrets: readonly string[];
    deliveries(reference: string): Promise<number>;
  };
  /** An order that meets the fault of the rule. */
  newOrder(rule: Record<string, unknown>): Promise<ProviderOrder>;
};

/** Replies that name no outcome. */
export const unclearReplies = [
  'error_5xx',
  'broken_json',
  'html_page',
  'odd_reply',
  'no_reply',
  'timeout',
] as const;

/** A purchase that meets a fault is unknown; a query finds a delivery, or else says `absent`. */
export function unclearPurchases(
  line: () => Line,
  faults: readonly string[],
  absent: ProviderAnswer['kind'] = 'not_found',
): void {
  for (const fault of faults) {
    for (const delivered of [false, true]) {
      it(`reads ${fault}${delivered ? ' after delivery' : ''} as unknown, and the query decides`, async () => {
        const { bench, newOrder } = line();
        const order = await newOrder({ fault, delivered });
        const answer = plain(await bench.provider.purchase(order), bench.secrets);
        assert.equal(answer.kind, 'unknown', answer.message);
        assert.equal((await bench.provider.query(order)).kind, delivered ? 'success' : absent);
        assert.equal(await bench.deliveries(order.reference), delivered ? 1 : 0);
      });
    }
  }
}

/** A query that meets a fault is unknown, also for an order that the purchase called `bought`. */
export function unclearQueries(
  line: () => Line,
  faults: readonly string[],
  bought: ProviderAnswer['kind'] = 'success',
): void {
  for (const fault of faults) {
    it(`reads a query that meets ${fault} as unknown`, async () => {
      const { bench, newOrder } = line();
      const order = await newOrder({ fault, operation: 'requery' });
      assert.equal((await bench.provider.purchase(order)).kind, bought);
      const answer = plain(await bench.provider.query(order), bench.secrets);
      assert.equal(answer.kind, 'unknown', answer.message);
    });
  }
}

/** Another provider may serve an order that meets a fault, and the customer is not told of it. */
export function faultsOfProvider(line: () => Line, faults: readonly string[]): void {
  for (const fault of faults) {
    it(`reads ${fault} as a fault of the provider, and hides it from the customer`, async () => {
      const { bench, newOrder } = line();
      const order = await newOrder({ fault });
      const answer = await bench.provider.purchase(order);
      assert.ok(answer.kind === 'failed' && answer.fault === 'provider', answer.message);
      assert.equal(answer.telcoMessage, undefined);
      assert.equal(await bench.deliveries(order.reference), 0);
    });
  }
}
