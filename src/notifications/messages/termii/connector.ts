/**
 * Sends SMS and, if a device is connected, WhatsApp messages through Termii. No message is
 * repeated, because Termii cannot recognise a repeated one.
 */
import { openUpstream, type UpstreamSettings } from '../../../providers/http/call.ts';
import type { DeliveryChannel } from '../destination.ts';
import type { Messenger } from '../messenger.ts';
import { answerToSend, type TermiiAccount, toSendBody } from './mapping.ts';

/** `baseUrl` is that of the account, without `/api`. */
export type TermiiSettings = Omit<UpstreamSettings, 'provider'> & TermiiAccount;

export function createTermii(settings: TermiiSettings): Messenger {
  const upstream = openUpstream({ ...settings, provider: 'termii' });
  const channels: DeliveryChannel[] = settings.whatsappDevice === undefined ? ['sms'] : ['sms', 'whatsapp'];
  return {
    name: 'termii',
    channels: new Set(channels),
    send: async (message, signal) => {
      const body = toSendBody(settings, message);
      const result = await upstream.call(
        { operation: 'send', method: 'POST', path: '/api/sms/send', headers: {}, body },
        { signal },
      );
      return answerToSend(result);
    },
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}
