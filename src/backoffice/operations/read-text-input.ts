/**
 * Parses an operation's input from texts: the arguments of a command, or the query of a URL. Texts
 * that cannot be parsed stay texts, so that validation refuses them.
 */
import type { TObject } from 'typebox';

export type TextInput = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export function readTextInput(schema: TObject, texts: TextInput): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(texts)
      .filter(([, text]) => text !== undefined && text !== '')
      .map(([property, text]) => [property, readValue(schema.properties[property] ?? {}, text)]),
  );
}

function readValue(schema: object, value: unknown): unknown {
  const type: unknown = Reflect.get(schema, 'type');
  if (type === 'array') {
    const items: object = Reflect.get(schema, 'items') ?? {};
    return (Array.isArray(value) ? value : [value]).map((item: unknown) => readValue(items, item));
  }
  if (typeof value !== 'string') return value;
  if (type === 'integer') return /^-?(?:0|[1-9][0-9]{0,14})$/.test(value) ? Number(value) : value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return asListed(Reflect.get(schema, 'enum'), value);
}

/** Returns the enum value that equals the text, ignoring case, or the text. */
function asListed(words: unknown, text: string): string {
  const isSame = (word: unknown): word is string =>
    typeof word === 'string' && word.toLowerCase() === text.toLowerCase();
  return (Array.isArray(words) ? words.find(isSame) : undefined) ?? text;
}
