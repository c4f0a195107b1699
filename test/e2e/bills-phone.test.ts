/**
 * Bills without the customer's phone, when VTpass has no contact phone to send instead.
 *
 * Own gateway: its settings and routes differ.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setRoute } from '../../src/catalog/routes/route-store.ts';
import { announceChange } from '../../src/db/change-notice-store.ts';
import { ownSimulator } from '../support/gateway.ts';
import { attemptsOf, buy, cable, electricity, newMeter, oja } from './bills.ts';
import { assertRefused, eventually, openGatewayUnderTest, statusOf } from './gateway-under-test.ts';

const stack = new AsyncDisposableStack();
const simulatorUrl = await ownSimulator(stack);
const gateway = await openGatewayUnderTest({
  simulatorUrl,
  settings: {
    OJA_VTPASS_BASE_URL: `${simulatorUrl}/vtpass/api`,
    OJA_VTPASS_API_KEY: 'simulator-api-key',
    OJA_VTPASS_PUBLIC_KEY: 'PK_simulator',
    OJA_VTPASS_SECRET_KEY: 'SK_simulator',
  },
});

after(() => stack.disposeAsync());

async function route(...providers: string[]): Promise<void> {
  await gateway.database.transaction(async (tx) => {
    for (const product of ['ELECTRICITY', 'CABLE']) {
      await setRoute(tx, { environment: 'live', product, network: '*', providers } as never);
    }
    await announceChange(tx, 'routes');
  });
}

const bills = {
  electricity: () => electricity({ msisdn: newMeter() }),
  cable: () => cable({ msisdn: '1212121212' }),
} as const;

for (const [name, bill] of Object.entries(bills)) {
  test(`${name} without a phone is refused before it is stored, and is sold with one`, async () => {
    await route('vtpass');
    const refused = await eventually('no other provider is left', async () => {
      const sent = bill();
      const answer = await buy(gateway, sent, 'live');
      return answer.status === 422 ? { answer, sent } : undefined;
    });
    assertRefused(refused.answer, 422, { field: 'phone', reason: 'phone_missing' });
    assertRefused(await statusOf(gateway, refused.sent.request_ref, 'live'), 404);
    const again = { ...refused.sent, phone: '08031234567' };
    const sold = await buy(gateway, again, 'live');
    assert.equal(sold.body.response_code, '00', sold.text);
  });

  test(`${name} without a phone goes to a provider that does not require one`, async () => {
    await route('vtpass', 'nomba');
    const sold = await eventually('the next provider of the route is taken', async () => {
      const answer = await buy(gateway, bill(), 'live');
      return answer.status === 200 ? answer : undefined;
    });
    assert.equal(sold.body.response_code, '00', sold.text);
    const attempts = await attemptsOf(gateway, sold.body.data.internal_reference);
    assert.ok(JSON.stringify(attempts).includes('nomba') && !JSON.stringify(attempts).includes('vtpass'));
  });
}

test('no refusal of the gateway itself counts against the provider', async () => {
  const shown = await oja(gateway, 'provider', 'show', 'vtpass', '--json');
  const { hour } = JSON.parse(shown).data;
  assert.deepEqual([hour.failed, hour.refused], [0, 0], shown);
});
