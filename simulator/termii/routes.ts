/**
 * Termii's paths below `/termii` and its record at `/messages`, its check of keys and senders, and
 * its error replies.
 */
import { randomInt } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, json, notFound, type Reply, type WithQuery } from '../http.ts';
import { executes, holdBack, spoil, type Words } from '../misbehave.ts';
import { sendLines } from '../ndjson.ts';
import { type SentMessage, Termii } from './termii.ts';

/** The simulator's only account. It protects nothing. */
const API_KEY = 'simulator-termii-key';
const SENDER_ID = 'Oja';
const WHATSAPP_DEVICE = 'oja-device';
const TEXT_LENGTH_MAX = 1_600;

export const termiiRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const termii = await Termii.open(simulation);
  app.addHook('onClose', () => termii.close());
  app.get('/messages', (_request, reply) =>
    sendLines(reply, termii.messages(), (one) => JSON.stringify(one)),
  );
  await app.register(apiRoutes, { termii, prefix: '/termii/' });
};

const apiRoutes: FastifyPluginAsync<{ readonly termii: Termii }> = async (app, { termii }) => {
  delayCalls(app, termii.settings.latencyMs);
  app.post('/api/sms/send', ({ body }) => send(termii, body));
  app.get<WithQuery>('/api/get-balance', ({ query }) =>
    query.get('api_key') === API_KEY
      ? json({ user: 'simulator', balance: 1_000, currency: 'NGN' })
      : unauthorized,
  );
  app.setNotFoundHandler(() => notFound);
};

const unauthorized = json({ code: 401, message: 'Unauthorized' }, 401);

const words: Words = {
  odd: { code: 'queued', message: 'Unexpected' },
  noAccess: json({ message: 'Account inactive' }, 403),
  floatOut: json({ code: 400, message: 'Insufficient balance' }, 400),
  billerDown: json({ message: 'Service Unavailable' }, 503),
  unauthorized,
  rateLimited: json({ message: 'Too Many Requests' }, 429),
  stranger: (proper) => proper,
};

async function send(termii: Termii, body: unknown): Promise<Reply> {
  const read = readMessage(body);
  if ('reply' in read) return read.reply;
  const { messages } = read;
  const [message] = messages;
  const fault = termii.faults.take('termii', 'message', message.to);
  await holdBack(fault);
  if (fault?.fault === 'refused') return json({ message: 'Invalid phone number' }, 400);
  if (fault === undefined || executes(fault)) await Promise.all(messages.map((one) => termii.take(one)));
  const reply = json({
    code: 'ok',
    // Longer than a JSON number holds exactly, as Termii's own are.
    message_id: Number(message.message_id),
    message_id_str: message.message_id,
    message: 'Successfully Sent',
    balance: 1_000,
    user: 'simulator',
  });
  return fault === undefined ? reply : spoil(fault, reply, words, termii.settings.timeoutMs);
}

/** One for each phone; they have one id. */
type Read = { readonly messages: readonly [SentMessage, ...SentMessage[]] } | { readonly reply: Reply };

function readMessage(body: unknown): Read {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { api_key: apiKey, to, from, sms, type, channel } = fields;
  if (apiKey !== API_KEY) return { reply: unauthorized };
  const [phone, ...others] = phonesIn(to);
  if (phone === undefined) return refusal('to', 'The to field is invalid');
  if (typeof sms !== 'string' || sms === '' || sms.length > TEXT_LENGTH_MAX) {
    return refusal('sms', 'The sms field is invalid');
  }
  if (type !== 'plain') return refusal('type', 'The type field is invalid');
  if (channel !== 'dnd' && channel !== 'generic' && channel !== 'whatsapp') {
    return refusal('channel', 'The channel field is invalid');
  }
  const known = channel === 'whatsapp' ? WHATSAPP_DEVICE : SENDER_ID;
  if (from !== known) {
    const what = channel === 'whatsapp' ? 'Device not found' : 'Invalid Sender Id';
    return { reply: json({ code: 404, message: what }, 404) };
  }
  const common = {
    provider: 'termii',
    message_id: `${Date.now()}${randomInt(1_000_000_000).toString().padStart(9, '0')}`,
    channel,
    from: known,
    text: sms,
    sent_at: new Date().toISOString(),
  } as const;
  return { messages: [{ ...common, to: phone }, ...others.map((one) => ({ ...common, to: one }))] };
}

const PHONES_MAX = 100;

/** A phone or a list of them, with or without `+`. Empty if any is invalid. */
function phonesIn(to: unknown): readonly string[] {
  const phones = (Array.isArray(to) ? to : [to]).map((one) => String(one).replace(/^\+/, ''));
  const isGood = phones.length <= PHONES_MAX && phones.every((phone) => /^[1-9]\d{7,14}$/.test(phone));
  return isGood ? phones : [];
}

function refusal(field: string, message: string): Read {
  return { reply: json({ message, errors: { [field]: [message] } }, 422) };
}
