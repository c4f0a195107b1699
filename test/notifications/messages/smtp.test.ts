/** SMTP against a server that fails at each step: proven not sent, refused, or unknown. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Message } from '../../../src/notifications/messages/messenger.ts';
import { createOutbox } from '../../../src/notifications/messages/smtp/outbox.ts';
import { createSmtp, type SmtpSettings } from '../../../src/notifications/messages/smtp/smtp.ts';
import { freePort } from '../../support/processes.ts';
import { until } from '../../support/until.ts';

const from = 'Mama Put <cards@shop.example>';
const message: Message = {
  id: '01900000-0000-7000-8000-000000000001',
  channel: 'email',
  to: 'ada@example.com',
  subject: 'Your Amazon card',
  text: 'Card number: 1234\n.\nPIN: 5678\n',
  html: '<p>PIN: 5678</p>',
  shortText: 'PIN: 5678',
};

type Step = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'text' | 'body';
/** The server's reply or action at a step instead of the normal one. */
type Twist = Partial<Record<Step, string | 'cut' | 'silence'>>;

type Server = AsyncDisposable & {
  readonly port: number;
  readonly mails: string[];
  readonly logins: string[];
};

/** Enough of RFC 5321 for one client. */
async function mailServer(twist: Twist = {}, { auth = false } = {}): Promise<Server> {
  const mails: string[] = [];
  const logins: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const say = (step: Step, usual: string): void => {
      const said = twist[step] ?? usual;
      if (said === 'cut') socket.destroy();
      else if (said !== 'silence') socket.write(`${said}\r\n`);
    };
    let text: string | undefined;
    let pending = '';
    say('greeting', '220 mail.example ready');
    socket.on('data', (chunk) => {
      pending += chunk.toString('utf8');
      if (text !== undefined && twist.body === 'cut') return void socket.destroy();
      for (let end = pending.indexOf('\r\n'); end !== -1; end = pending.indexOf('\r\n')) {
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        if (text !== undefined) {
          if (line === '.') {
            // A message that is not refused counts as accepted, whatever the answer.
            if (!/^[45]/.test(twist.text ?? '')) mails.push(text);
            text = undefined;
            say('text', '250 2.0.0 Ok: queued as ABC123');
          } else text += `${line}\n`;
          continue;
        }
        const command = line.slice(0, 4).toUpperCase();
        if (command === 'EHLO') say('EHLO', auth ? '250-mail.example\r\n250 AUTH PLAIN' : '250 mail.example');
        else if (command === 'AUTH') {
          logins.push(Buffer.from(line.split(' ')[2] ?? '', 'base64').toString('utf8'));
          socket.write(logins.at(-1) === '\0me\0right' ? '235 ok\r\n' : '535 no\r\n');
        } else if (command === 'MAIL') say('MAIL', '250 ok');
        else if (command === 'RCPT') say('RCPT', '250 ok');
        else if (command === 'DATA') {
          if (twist.DATA === undefined) text = '';
          say('DATA', '354 go on');
        } else socket.write('250 ok\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    logins,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function send(port: number, over: Partial<SmtpSettings> = {}): Promise<string> {
  const smtp = createSmtp({
    host: '127.0.0.1',
    port,
    tls: 'none',
    user: undefined,
    password: undefined,
    from,
    ...over,
  });
  const outcome = await smtp.send(message, AbortSignal.timeout(60_000));
  for (const secret of [message.to, '5678']) assert.ok(!`${outcome.code} ${outcome.note}`.includes(secret));
  return `${outcome.kind} ${outcome.code}`;
}

describe('SMTP', () => {
  it('sends the whole message once, under the id of its order', async () => {
    await using server = await mailServer();
    assert.equal(await send(server.port), 'sent 250');
    const [mail, ...others] = server.mails;
    assert.equal(others.length, 0);
    assert.match(mail ?? '', /^Message-ID: <01900000-0000-7000-8000-000000000001@shop\.example>$/m);
    assert.match(mail ?? '', /^From: Mama Put <cards@shop\.example>$/m);
    assert.match(mail ?? '', /^To: ada@example\.com$/m);
    assert.match(mail ?? '', /^Auto-Submitted: auto-generated$/m);
    assert.ok(mail?.includes('PIN: 5678'));
  });

  const cases: readonly (readonly [Twist, outcome: string, stepTimeoutMs?: number])[] = [
    [{ greeting: '554 go away' }, 'not_sent 554'],
    [{ greeting: 'silence' }, 'not_sent ETIMEDOUT', 300],
    [{ greeting: 'cut' }, 'not_sent ECONNECTION'],
    [{ MAIL: '550 not from you' }, 'not_sent 550'],
    [{ RCPT: '450 later' }, 'not_sent 450'],
    [{ RCPT: '550 no such user ada@example.com' }, 'refused 550'],
    [{ RCPT: 'cut' }, 'not_sent ECONNECTION'],
    [{ RCPT: 'silence' }, 'not_sent ETIMEDOUT', 300],
    [{ DATA: '451 not now' }, 'not_sent 451'],
    [{ DATA: 'cut' }, 'not_sent ECONNECTION'],
    [{ body: 'cut' }, 'unknown ECONNECTION'],
    [{ text: '554 spam' }, 'refused 554'],
    [{ text: '451 not now' }, 'not_sent 451'],
    // Accepted, but the answer was lost: indistinguishable from a message that was not accepted.
    [{ text: 'cut' }, 'unknown ECONNECTION'],
    // Enough time for each step before it.
    [{ text: 'silence' }, 'unknown ETIMEDOUT', 1_000],
  ];
  for (const [twist, outcome, stepTimeoutMs] of cases) {
    it(`${JSON.stringify(twist)} is ${outcome}`, async () => {
      await using server = await mailServer(twist);
      assert.equal(await send(server.port, stepTimeoutMs === undefined ? {} : { stepTimeoutMs }), outcome);
    });
  }

  it('sends nothing when the server is unreachable', async () => {
    const port = await freePort();
    assert.match(await send(port), /^not_sent E/);
  });

  it('signs in when the server requires it, and sends nothing when it refuses', async () => {
    await using server = await mailServer({}, { auth: true });
    assert.equal(await send(server.port, { user: 'me', password: 'right' }), 'sent 250');
    assert.equal(await send(server.port, { user: 'me', password: 'wrong' }), 'not_sent 535');
    assert.equal(server.mails.length, 1);
  });

  it('requires encryption unless the settings disable it', async () => {
    await using server = await mailServer();
    assert.match(await send(server.port, { tls: 'starttls', stepTimeoutMs: 300 }), /^not_sent /);
    assert.match(await send(server.port, { tls: 'implicit', stepTimeoutMs: 300 }), /^not_sent /);
    assert.equal(server.mails.length, 0);
  });

  it('waits no longer than the caller', async () => {
    await using server = await mailServer({ text: 'silence' });
    const smtp = createSmtp({
      host: '127.0.0.1',
      port: server.port,
      tls: 'none',
      user: undefined,
      password: undefined,
      from,
    });
    const caller = new AbortController();
    const sent = smtp.send(message, caller.signal);
    await until('the server has it', () => server.mails.length === 1);
    caller.abort();
    assert.equal((await sent).kind, 'unknown');
    assert.equal((await smtp.send(message, AbortSignal.abort())).kind, 'not_sent');
  });
});

describe('the outbox of the demo', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-outbox-'));
  after(() => rm(folder, { recursive: true }));

  it('writes one file for an order, readable only by its owner', async () => {
    const outbox = createOutbox(join(folder, 'outbox'), from);
    for (const _ of [1, 2])
      assert.equal((await outbox.send(message, AbortSignal.timeout(1_000))).kind, 'sent');
    const files = await readdir(join(folder, 'outbox'));
    assert.deepEqual(files, [`${message.id}.eml`]);
    const path = join(folder, 'outbox', `${message.id}.eml`);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.match(await readFile(path, 'utf8'), /^To: ada@example\.com\r$/m);
  });

  it('reports an unwritable folder as not sent', async () => {
    const outbox = createOutbox('/dev/null/outbox', from);
    assert.equal((await outbox.send(message, AbortSignal.timeout(1_000))).kind, 'not_sent');
  });
});
