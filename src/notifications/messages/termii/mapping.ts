/**
 * Maps messages to Termii's requests and its answers to outcomes. Pure. Documentation:
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

/** Errors of our account or sender: the message was not sent, and the operator can correct them. */
const ACCOUNT_ERRORS = new Set([401, 403, 404, 405, 429]);
const ACCOUNT_ERROR_TEXT = /balance|inactive|unauthori|sender|device|route|limit/i;

/**
 * Maps an answer. Only an explicit answer proves anything: Termii has no idempotency key, so an
 * unknown outcome stays unknown.
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
          note: 'Termii accepted the message',
          ...(messageId !== undefined && { messageId }),
        }
      : { kind: 'unknown', code, note: 'undocumented answer' };
  }
  if (ACCOUNT_ERRORS.has(status))
    return { kind: 'not_sent', code, note: 'Termii does not accept this account or sender now' };
  if (status === 400 || status === 422) {
    // Termii's text is not stored because it may quote the number.
    return ACCOUNT_ERROR_TEXT.test(word(body.message) ?? '')
      ? { kind: 'not_sent', code, note: 'Termii does not accept this account or sender now' }
      : { kind: 'refused', code, note: 'Termii refused the message or its number' };
  }
  return { kind: 'unknown', code, note: 'undocumented answer' };
}
