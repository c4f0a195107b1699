/** How one purchase is looked up, and envelope B of the interface. */
import { type Static, Type } from 'typebox';
import { answer } from '../../../plumbing/answer.ts';
import { cleanText, text } from '../../../plumbing/fields.ts';
import { statusFields } from '../../../plumbing/status-answer.ts';

const lookupKey = text(`the request_ref of a purchase, 1 to 100 characters ${cleanText}`, {
  format: 'clean-text',
  examples: ['order-20261121-0001'],
});

/**
 * Exactly one of the three; the route counts them, so that its refusal can say so in one sentence.
 */
export const statusQuery = Type.Object({
  request_ref: Type.Optional(lookupKey),
  request_id: Type.Optional(lookupKey),
  client_request_id: Type.Optional(lookupKey),
});

export type StatusQuery = Static<typeof statusQuery>;

export const statusAnswer = answer('StatusAnswer', 'The purchase as it stands.', statusFields);
