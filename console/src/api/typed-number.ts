/** Numbers as people type them: read here as at the command line, by the same code. */
export { readTyped, type TypedKind } from '../../../src/core/typed-number.ts';
