/** The provider's side of live purchases: its set behaviour, and its own books. */
import assert from 'node:assert/strict';
import { request } from 'undici';
import type { Gateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

export type Delivery = {
  readonly provider: string;
  readonly reference: string;
  readonly product: string;
  readonly recipient: string;
  readonly amount: string;
  readonly delivered_at: string;
};

const turns = new Map<string, Promise<void>>();
const rulesOf = new Map<string, object[]>();

/** Adds rules of the simulator. Each names a recipient, so that tests do not affect each other. */
export async function misbehave(
  gateway: Gateway,
  ...rules: readonly {
    readonly fault: string;
    readonly recipient: string;
    readonly [detail: string]: unknown;
  }[]
): Promise<void> {
  const all = [...rules, ...(rulesOf.get(gateway.simulatorUrl) ?? [])];
  rulesOf.set(gateway.simulatorUrl, all);
  // Changes are sent one after the other. If two lists crossed, the older could arrive last.
  const turn = (turns.get(gateway.simulatorUrl) ?? Promise.resolve()).then(async () => {
    const answer = await request(`${gateway.simulatorUrl}/faults`, {
      method: 'PUT',
      body: JSON.stringify({ rules: all }),
    });
    assert.equal(answer.statusCode, 200, await answer.body.text());
  });
  turns.set(
    gateway.simulatorUrl,
    turn.catch(() => undefined),
  );
  await turn;
}

/** How many calls were held at the provider so far. */
export async function heldOf(gateway: Pick<Gateway, 'simulatorUrl'>): Promise<number> {
  const answer = await request(`${gateway.simulatorUrl}/faults`);
  const { held } = (await answer.body.json()) as { held: Record<string, number> };
  return Object.values(held).reduce((sum, calls) => sum + calls, 0);
}

/** Resolves when a call about the recipient has reached the provider and is held there. */
export async function untilHeld(gateway: Pick<Gateway, 'simulatorUrl'>, recipient: string): Promise<void> {
  await until(`a call about ${recipient} is held`, async () => {
    const answer = await request(`${gateway.simulatorUrl}/faults`);
    const { held } = (await answer.body.json()) as { held: Record<string, number> };
    return held[recipient.slice(-10)] !== undefined;
  });
}

/** Settles an order of the recipient or delivers its goods now, once the provider has it. */
export async function settle(gateway: Pick<Gateway, 'simulatorUrl'>, recipient: unknown): Promise<void> {
  await until(
    `the provider has an order for ${recipient}`,
    async () => (await release(gateway, recipient)) > 0,
  );
}

/**
 * Releases held calls for a recipient, and delivers the delayed results of its orders. Returns the
 * number of changed orders.
 */
export async function release(gateway: Pick<Gateway, 'simulatorUrl'>, recipient: unknown): Promise<number> {
  const answer = await request(`${gateway.simulatorUrl}/faults/release`, {
    method: 'POST',
    body: JSON.stringify({ recipient }),
  });
  assert.equal(answer.statusCode, 200);
  return ((await answer.body.json()) as { orders: number }).orders;
}

/** The deliveries to one number, in any of its spellings. */
export async function deliveriesTo(gateway: Gateway, msisdn: unknown): Promise<Delivery[]> {
  const answer = await request(`${gateway.simulatorUrl}/books`);
  const lines = (await answer.body.text()).split('\n').filter((line) => line !== '');
  const last = String(msisdn).slice(-10);
  return lines.map((line) => JSON.parse(line) as Delivery).filter((line) => line.recipient.endsWith(last));
}
