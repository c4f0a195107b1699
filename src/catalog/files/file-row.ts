/**
 * One record of a catalog file with the line that it begins on, or the fault for which it is no
 * record.
 */
import type { RawRecord } from '../records/read-by-schema.ts';
import type { RecordFault } from '../records/record-fault.ts';

export type FileRow = {
  readonly line: number;
  readonly read: RawRecord | { readonly fault: RecordFault };
};
