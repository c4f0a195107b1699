/**
 * Termii against its simulator: the requests, the proof in each answer, and that nothing is sent
 * twice.
 */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { startSimulator } from '../../../simulator/server.ts';
import { readSettings } from '../../../simulator/settings.ts';
import type { Message } from '../../../src/notifications/messages/messenger.ts';
import { createTermii, type TermiiSettings } from '../../../src/notifications/messages/termii/connector.ts';
import { answerToSend } from '../../../src/notifications/messages/termii/mapping.ts';
import { temporaryFolder } from '../../simulator/bench.ts';
import { until } from '../../support/until.ts';

const folder = await temporaryFolder();
after(() => folder[Symbol.asyncDispose]());
const simulator = await startSimulator(
  readSettings({ OJA_SIMULATOR_PORT: '0', OJA_SIMULATOR_DIR: folder.path, OJA_SIMULATOR_TIMEOUT_MS: '1000' }),
);
after(() => simulator.close());

const settings: TermiiSettings = {
  baseUrl: `${simulator.url}/termii`,
  apiKey: 'simulator-termii-key',
  senderId: 'Oja',
  smsChannel: 'dnd',
  whatsappDevice: 'oja-device',
  connectionsMax: 4,
  deadlineMs: 60_000,
};

const message: Message = {
  id: '0190-order',
  channel: 'sms',
  to: '2348031234567',
  subject: 'Your card',
  text: 'long text',
  html: '<p>long text</p>',
  shortText: 'Card number: 1234, PIN: 5678',
};

type Sent = { channel: string; from: string; to: string; text: string; message_id: string };

async function book(): Promise<Sent[]> {
  const text = await (await fetch(`${simulator.url}/messages`)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sent);
}

async function misbehave(rule: Record<string, unknown>): Promise<void> {
  const rules = [{ operation: 'message', provider: 'termii', ...rule }];
  const answer = await fetch(`${simulator.url}/faults`, { method: 'PUT', body: JSON.stringify({ rules }) });
  assert.equal(answer.status, 200, await answer.text());
}

async function send(over: Partial<TermiiSettings> = {}, what: Partial<Message> = {}): Promise<string> {
  await using termii = createTermii({ ...settings, ...over });
  const outcome = await termii.send({ ...message, ...what }, AbortSignal.timeout(60_000));
  const words = `${outcome.code} ${outcome.note}`;
  for (const secret of [settings.apiKey, message.to, '5678']) assert.ok(!words.includes(secret), words);
  return `${outcome.kind} ${outcome.code}`;
}

describe('Termii', () => {
  beforeEach(() => fetch(`${simulator.url}/faults`, { method: 'DELETE' }).then(() => undefined));

  it('sends SMS and WhatsApp messages, each from its own sender', async () => {
    assert.equal(await send(), 'sent ok');
    assert.equal(await send({}, { channel: 'whatsapp' }), 'sent ok');
    assert.deepEqual(
      (await book()).map(({ channel, from, to, text }) => ({ channel, from, to, text })),
      [
        { channel: 'dnd', from: 'Oja', to: message.to, text: message.shortText },
        { channel: 'whatsapp', from: 'oja-device', to: message.to, text: message.shortText },
      ],
    );
  });

  it('returns the whole id of Termii', async () => {
    await using termii = createTermii(settings);
    const outcome = await termii.send(message, AbortSignal.timeout(60_000));
    assert.equal(outcome.kind === 'sent' && outcome.messageId, (await book()).at(-1)?.message_id);
  });

  it('offers WhatsApp only when a device is connected', async () => {
    await using without = createTermii({ ...settings, whatsappDevice: undefined });
    await using with_ = createTermii(settings);
    assert.deepEqual([[...without.channels], [...with_.channels]], [['sms'], ['sms', 'whatsapp']]);
  });

  const cases: readonly (readonly [
    Record<string, unknown>,
    outcome: string,
    taken: number,
    deadlineMs?: number,
  ])[] = [
    [{ fault: 'refused' }, 'refused 400', 0],
    [{ fault: 'float_out' }, 'not_sent 400', 0],
    [{ fault: 'unauthorized' }, 'not_sent 401', 0],
    [{ fault: 'no_access' }, 'not_sent 403', 0],
    [{ fault: 'rate_limited' }, 'not_sent 429', 0],
    [{ fault: 'cut_before' }, 'unknown lost', 0],
    [{ fault: 'cut_after' }, 'unknown lost', 1],
    [{ fault: 'error_5xx' }, 'unknown 500', 0],
    [{ fault: 'error_5xx', delivered: true }, 'unknown 500', 1],
    [{ fault: 'html_page', delivered: true }, 'unknown 200', 1],
    [{ fault: 'broken_json', delivered: true }, 'unknown 200', 1],
    [{ fault: 'odd_reply', delivered: true }, 'unknown 200', 1],
    [{ fault: 'timeout', delivered: true }, 'unknown lost', 1, 500],
  ];
  for (const [rule, outcome, taken, deadlineMs = settings.deadlineMs] of cases) {
    it(`${JSON.stringify(rule)} is ${outcome}`, async () => {
      const before = (await book()).length;
      await misbehave(rule);
      assert.equal(await send({ deadlineMs }), outcome);
      // A call that was given up may arrive only now.
      if (taken > 0) await until('it is taken', async () => (await book()).length > before);
      assert.equal((await book()).length - before, taken);
    });
  }

  it('blames the account for a wrong key or sender, but not for a wrong number', async () => {
    assert.equal(await send({ apiKey: 'wrong' }), 'not_sent 401');
    assert.equal(await send({ senderId: 'Stranger' }), 'not_sent 404');
    assert.equal(await send({}, { to: '080' }), 'refused 422');
  });

  it('reports an unreachable server as not sent', async () => {
    assert.equal(await send({ baseUrl: 'http://127.0.0.1:1/termii' }), 'not_sent not_sent');
  });

  it('requires an explicit success', () => {
    for (const [status, body] of [
      [200, {}],
      [200, []],
      [200, { message: 'Successfully Sent' }],
      [202, { code: 'ok' }],
      [302, { code: 'ok' }],
      [409, { code: 'error' }],
    ] as const) {
      assert.equal(answerToSend({ kind: 'reply', status, body }).kind, 'unknown', `${status}`);
    }
  });
});
