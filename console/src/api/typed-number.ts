/** Parses numbers that people type, with the same code as the command line. */
export { readTyped, type TypedKind } from '../../../src/core/typed-number.ts';
