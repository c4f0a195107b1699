/** The parameters that look up one purchase, and envelope B of the interface. */
import { type Static, Type } from 'typebox';
import { answer } from '../../../plumbing/answer.ts';
import { cleanText, text } from '../../../plumbing/fields.ts';
import { statusFields } from '../../../plumbing/status-answer.ts';

const words = `the request_ref of a purchase, 1 to 100 characters ${cleanText}`;
const lookupKey = text(words, { format: 'clean-text', examples: ['order-20261121-0001'] });
/** Without an example: pages fill in every example, and only one of the names is accepted. */
const otherName = text(words, { format: 'clean-text' });

/** Exactly one of the three. The route counts them, so that its refusal can name all three. */
export const statusQuery = Type.Object({
  request_ref: Type.Optional(lookupKey),
  request_id: Type.Optional(otherName),
  client_request_id: Type.Optional(otherName),
});

export type StatusQuery = Static<typeof statusQuery>;

export const statusAnswer = answer('StatusAnswer', 'The purchase as it stands.', statusFields);
