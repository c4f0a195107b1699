/**
 * What Termii is sent and what its answers mean. Pure. Documentation:
 * https://developers.termii.com/messaging-api.
 */
import type { CallResult } from '../../../providers/http/call.ts';
import { isBody, word } from '../../../providers/http/reply-fields.ts';
import type { Message, SendOutcome } from '../messenger.ts';

export type TermiiAccount = {
  readonly apiKey: string;
  /** The approved sender id, 3 to 11 letters and digits. */
  readonly senderId: string;
  /** `dnd` reaches numbers that refuse promotions. */
  readonly smsChannel: 'dnd' | 'generic';
  /** The name of the connected WhatsApp device. */
  readonly whatsappDevice: string | undefined;
};

export function toSendBody(account: TermiiAccount, message: Message): Record<string, unknown> {
  const whatsapp = message.channel === 'whatsapp';
  return {
    api_key: account.apiKey,
    to: message.to,
    from: whatsapp ? account.whatsappDevice : account.senderId,
    sms: message.shortText,
    type: 'plain',
    channel: whatsapp ? 'whatsapp' : account.smsChannel,
  };
}

/** Our own faults, of account or sender: nothing was sent, and the operator can mend them. */
const OUR_FAULT = new Set([401, 403, 404, 405, 429]);
const OUR_FAULT_WORDS = /balance|inactive|unauthori|sender|device|route|limit/i;

/**
 * Only an explicit answer proves anything. Termii has no idempotency key, so a doubtful message
 * stays doubtful.
 */
export function answerToSend(result: CallResult): SendOutcome {
  if (result.kind === 'not_sent') return { kind: 'not_sent', code: 'not_sent', note: result.reason };
  if (result.kind === 'lost') {
    return {
      kind: 'unknown',
      code: `${result.status ?? 'lost'}`,
      note: `no readable answer: ${result.reason}`,
    };
  }
  const { status } = result;
  const body = isBody(result.body) ? result.body : {};
  const code = `${status}`;
  if (status === 200) {
    const messageId = word(body.message_id_str) ?? word(body.message_id);
    return word(body.code)?.toLowerCase() === 'ok'
      ? {
          kind: 'sent',
          code: 'ok',
          note: 'Termii has taken it',
          ...(messageId !== undefined && { messageId }),
        }
      : { kind: 'unknown', code, note: 'an answer outside its documents' };
  }
  if (OUR_FAULT.has(status))
    return { kind: 'not_sent', code, note: 'Termii does not serve this account or sender now' };
  if (status === 400 || status === 422) {
    // Termii's text may quote the number, so it is read but not stored.
    return OUR_FAULT_WORDS.test(word(body.message) ?? '')
      ? { kind: 'not_sent', code, note: 'Termii does not serve this account or sender now' }
      : { kind: 'refused', code, note: 'Termii refuses the message or its number' };
  }
  return { kind: 'unknown', code, note: 'an answer outside its documents' };
}
