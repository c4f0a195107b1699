import type { RawRecord } from '../records/read-by-schema.ts';
import type { RecordFault } from '../records/record-fault.ts';

/** One record of a file, or why it is none, and the line it begins on. */
export type FileRow = {
  readonly line: number;
  readonly read: RawRecord | { readonly fault: RecordFault };
};
