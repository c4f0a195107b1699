/** What of an endpoint its owner says, as operations take it. */
import { Type } from 'typebox';
import { type EventType, eventTypes } from '../events/event.ts';
import { listWords } from '../kernel/list-words.ts';
import { oneOf, text } from '../kernel/operation-fields.ts';

const urlField = text('a URL such as "https://shop.example/webhooks"', { maxLength: 2_000 });

const optionalFields = {
  events: Type.Optional(
    Type.Array(oneOf(eventTypes), {
      description: `some of ${listWords(eventTypes, 'and')}; empty: all`,
      maxItems: eventTypes.length,
    }),
  ),
  description: Type.Optional(
    Type.String({
      description: 'words of at most 200 characters of plain text',
      maxLength: 200,
      pattern: '^[^\\p{Cc}]*$',
    }),
  ),
  include_goods: Type.Optional(
    Type.Boolean({ description: 'true for payloads with goods, such as tokens, PINs and cards' }),
  ),
};

export const termsFields = { url: urlField, ...optionalFields };
export const changedTermsFields = { url: Type.Optional(urlField), ...optionalFields };

type Given = {
  readonly events?: readonly EventType[];
  readonly description?: string;
  readonly include_goods?: boolean;
};

/** Each type once, in the order of the documents. */
export function readTerms({ events, description, include_goods: withGoods }: Given) {
  const types = events && eventTypes.filter((type) => events.includes(type));
  return { types, description, withGoods };
}
