/** The parameters of the event feed, and its answer. */
import { Type } from 'typebox';
import { eventTypes } from '../../../../notifications/events/event.ts';
import { answer, okCode } from '../../../plumbing/answer.ts';
import { eventSchema } from '../../../plumbing/event-answer.ts';
import { cleanText, pageSizeMax, text, wholeNumber } from '../../../plumbing/fields.ts';

export const defaultLimit = 50;
export const waitMaxS = 25;

export const eventsQuery = Type.Object({
  after: Type.Optional(
    text('the cursor of the answer before, or "latest" for what happens from now on', {
      format: 'clean-text',
      examples: ['latest'],
    }),
  ),
  types: Type.Optional(
    text(`types of events such as "transaction.success,deposit.credited", ${cleanText}`, {
      format: 'clean-text',
      maxLength: 500,
      examples: [eventTypes.slice(0, 2).join(',')],
    }),
  ),
  limit: wholeNumber(pageSizeMax, defaultLimit),
  wait: Type.Optional(
    Type.Integer({
      description: `a whole number of seconds from 0 to ${waitMaxS}, in digits`,
      minimum: 0,
      maximum: waitMaxS,
    }),
  ),
});

export const eventsAnswer = answer('EventsAnswer', 'Events in the order in which they were committed.', {
  status: Type.Literal('success'),
  code: okCode,
  message: Type.String(),
  data: Type.Array(eventSchema),
  cursor: Type.String({ description: 'where the next question begins: its after' }),
  has_more: Type.Boolean({ description: 'there may be more at once' }),
});
