/** The address of an order, the customer's text, and the result of each try. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newSealingKey, open, seal } from '../../../src/core/sealing.ts';
import {
  composeMessage,
  type DeliverableOrder,
} from '../../../src/notifications/messages/compose-message.ts';
import { composeReceipt } from '../../../src/notifications/messages/compose-receipt.ts';
import { decideDelivery } from '../../../src/notifications/messages/decide-delivery.ts';
import {
  maskDestination,
  parseDestination,
  sealDestination,
} from '../../../src/notifications/messages/destination.ts';
import { setUpMessengers } from '../../../src/notifications/messages/set-up-messengers.ts';

describe('a destination', () => {
  it('accepts one plain e-mail address', () => {
    const good = ['ada@example.com', "o'neil+cards@mail.example.co.uk", 'a@b-c.ng', 'A.B@x.museum'];
    for (const text of good) assert.equal(parseDestination('email', text)?.address, text, text);
    const bad = [
      ...[
        '',
        'ada',
        'ada@',
        '@example.com',
        'ada@example',
        'ada@-x.com',
        'a..b@x.com',
        '.a@x.com',
        'ada@x.c',
      ],
      ...[
        'Ada <ada@example.com>',
        'ada@example.com,eve@example.com',
        'ada@example.com\r\nBcc: eve@example.com',
      ],
      ...[
        'ada@example.com ',
        ' ada@example.com',
        '"a b"@x.com',
        'ada@[127.0.0.1]',
        'ada@ex@ample.com',
        'ada@x..com',
      ],
      ...[
        `${'a'.repeat(65)}@example.com`,
        `ada@${'a.'.repeat(130)}com`,
        'ådå@example.com',
        'ada@example.com\0',
      ],
      '08031234567',
    ];
    for (const text of bad) assert.equal(parseDestination('email', text), undefined, JSON.stringify(text));
  });

  it('accepts a Nigerian mobile number in any spelling, or any number with its country code', () => {
    for (const channel of ['sms', 'whatsapp'] as const) {
      for (const text of ['08031234567', '2348031234567', '+2348031234567']) {
        assert.deepEqual(parseDestination(channel, text), { channel, address: '2348031234567' }, text);
      }
      assert.equal(parseDestination(channel, '+447700900123')?.address, '447700900123');
      const bad = [
        '',
        '0803',
        '447700900123',
        '+0447700900',
        '+1234',
        '+1234567890123456',
        '+234123',
        '+2348001234567',
      ];
      for (const text of [...bad, '0803 123 4567', '+44 7700 900123', 'ada@example.com', '08031234567\n']) {
        assert.equal(parseDestination(channel, text), undefined, JSON.stringify(text));
      }
    }
  });

  it('seals a destination for its own order, with a hint', () => {
    const key = newSealingKey();
    const kept = sealDestination({ channel: 'email', address: 'ada@example.com' }, 'v-1', (place, plain) =>
      seal(key, place, plain),
    );
    assert.deepEqual([kept.channel, kept.hint], ['email', 'a***@example.com']);
    assert.ok(!JSON.stringify(kept).includes('ada'));
    assert.equal(open(key, 'deliveries/v-1/destination', kept.sealed), 'ada@example.com');
    assert.equal(open(key, 'deliveries/v-2/destination', kept.sealed), undefined);
    assert.equal(maskDestination({ channel: 'sms', address: '2348031234567' }), '***567');
  });
});

const order: DeliverableOrder = {
  kind: 'cards',
  merchantName: 'Mama Put',
  reference: 'gift-1',
  title: 'Amazon US USD 25',
  cards: [{ card_number: '6011', pin: '4821' }, { claim_url: 'https://redeem.example/c?a=1&b=2' }],
  instructions: 'Go to the shop.\nEnter the number.',
};

describe('a message', () => {
  it('contains every card as text, HTML and short text', () => {
    const message = composeMessage('v-1', { channel: 'email', address: 'ada@example.com' }, order);
    assert.ok(message);
    assert.match(message.subject, /\b2\b.*\bAmazon US USD 25\b.*\bMama Put\b/);
    for (const part of [message.text, message.html, message.shortText]) {
      for (const piece of ['6011', '4821', 'redeem.example']) assert.ok(part.includes(piece), piece);
    }
    assert.ok(message.html.includes('<a href="https://redeem.example/c?a=1&amp;b=2">'));
    assert.match(message.text, /Enter the number\./);
    // The subject and preview of the mail have no secret.
    for (const secret of ['6011', '4821']) assert.ok(!message.subject.includes(secret));
    const one = { ...order, cards: order.cards.slice(0, 1) };
    const short = composeMessage('v-1', { channel: 'sms', address: '2348031234567' }, one)?.shortText;
    assert.match(short ?? '', /\bAmazon US USD 25\b.*\bMama Put\b.*\b6011\b.*\b4821\b/);
  });

  it('escapes texts of providers and merchants in markup, links and headers', () => {
    const hostile: DeliverableOrder = {
      ...order,
      merchantName: 'Mama\r\nBcc: eve@example.com',
      title: '<script>alert(1)</script>',
      cards: [{ card_number: '<img src=x>', claim_url: 'javascript:alert(1)' }],
      instructions: '<b>now</b>',
    };
    const message = composeMessage('v-1', { channel: 'email', address: 'ada@example.com' }, hostile);
    assert.ok(message);
    assert.ok(!/[\r\n]/.test(message.subject));
    for (const tag of ['<script', '<img', '<b>', 'href="javascript'])
      assert.ok(!message.html.includes(tag), tag);
  });

  it('composes no message without goods', () => {
    for (const cards of [
      [],
      [{}],
      [{ card_number: ' ' }],
      [{ card_number: '6011' }, {}],
      [{ pin: '', other: 'x' }],
    ]) {
      assert.equal(composeMessage('v-1', { channel: 'sms', address: '234' }, { ...order, cards }), undefined);
    }
  });
});

describe('a try', () => {
  it('never retries a message that may have arrived', () => {
    for (let tries = 1; tries <= 20; tries += 1) {
      for (const kind of ['sent', 'refused', 'unknown'] as const) {
        const decision = decideDelivery({ kind }, tries);
        assert.deepEqual([decision.state, decision.pauseMs], [kind, undefined]);
        assert.equal(decision.alarm !== undefined, kind === 'unknown');
      }
    }
  });

  it('retries a message that was not sent seven times, with growing pauses', () => {
    const pauses = Array.from(
      { length: 7 },
      (_, index) => decideDelivery({ kind: 'not_sent' }, index + 1).pauseMs ?? 0,
    );
    assert.deepEqual(
      pauses,
      [...pauses].sort((one, other) => one - other),
    );
    assert.ok(pauses.every((pause) => pause >= 60_000));
    for (const tries of [8, 9]) {
      const last = decideDelivery({ kind: 'not_sent' }, tries);
      assert.deepEqual([last.state, last.alarm !== undefined], ['given_up', true]);
    }
  });
});

describe('messengers', () => {
  const smtp = {
    host: 'mail',
    port: 25,
    tls: 'none',
    user: undefined,
    password: undefined,
    from: 'a@b.example',
  } as const;
  const demo = { outboxFolder: '/nowhere', simulatorUrl: 'http://127.0.0.1:1' };

  it('uses the configured messengers in production, and none for test orders', async () => {
    await using none = setUpMessengers({ smtp: undefined, termii: undefined, demo: undefined });
    assert.deepEqual(none.liveChannels, []);
    assert.equal(none.of('test', 'email')?.name, 'simulated');
    await using mail = setUpMessengers({ smtp, termii: undefined, demo: undefined });
    assert.deepEqual(mail.liveChannels, ['email']);
    assert.deepEqual([mail.of('live', 'email')?.name, mail.of('test', 'email')?.name], ['smtp', 'simulated']);
  });

  it('uses an outbox and the simulator in the demo', async () => {
    await using all = setUpMessengers({ smtp: undefined, termii: undefined, demo });
    assert.deepEqual(all.liveChannels, ['email', 'sms', 'whatsapp']);
    assert.deepEqual([all.of('live', 'email')?.name, all.of('test', 'email')?.name], ['outbox', 'outbox']);
    assert.deepEqual([all.of('live', 'sms')?.name, all.of('test', 'sms')?.name], ['termii', 'simulated']);
  });
});

describe('a receipt as a message', () => {
  const receipt = {
    kind: 'receipt',
    messageId: 'r-2',
    shop: 'Mama <Put>\nSons',
    product: 'Electricity, Ikeja Electric',
    advice: 'Enter each token in this order.',
    goods: [
      { label: 'Key change token 1', value: '1111 2222' },
      { label: 'Token', value: '3333 4444' },
    ],
    facts: [{ label: 'Amount paid', value: 'NGN 1,000.00' }],
    link: 'https://portal.shop.example/r/abc',
  } as const;

  it('has every token in its order in each form, and a link', () => {
    const message = composeReceipt({ channel: 'sms', address: '2348031234567' }, receipt);
    assert.deepEqual([message.id, message.to, message.channel], ['r-2', '2348031234567', 'sms']);
    for (const text of [message.text, message.html, message.shortText]) {
      const places = ['Mama', '1111 2222', '3333 4444', '1,000.00', receipt.link].map((part) =>
        text.indexOf(part),
      );
      assert.ok(
        places.every((place) => place >= 0),
        text,
      );
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
      );
    }
    assert.ok(!message.html.includes('<Put>'));
    assert.ok(!/\n/.test(message.subject + message.shortText));
  });
});
