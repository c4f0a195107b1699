/** Maps the marked names in the parts of a union or an intersection. */
import { type Static, Type } from 'typebox';

export const actionOutput = Type.Object({
  operation: Type.String(),
  /** The part of its input that is known. */
  input: Type.Unsafe<Readonly<Record<string, string | boolean>>>(
    Type.Object({}, { additionalProperties: true }),
  ),
});

export type Action = Static<typeof actionOutput>;
