/** Identifiers: UUIDs that sort by the time they were made, so that new rows land at the end of an index. */
import { uuidv7 } from 'uuidv7';

export type IdSource = () => string;

export const newId: IdSource = uuidv7;
