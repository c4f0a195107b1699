/**
 * Identifiers: UUIDs that sort by the time they were made, so that new rows land at the end of an
 * index.
 */
import { uuidv7 } from 'uuidv7';

export type IdSource = () => string;

export const newId: IdSource = uuidv7;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether the text is a UUID as Oja writes it: lower case, with hyphens. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
