/** Schemas of values that can be null. */
import { type TSchema, type TSchemaOptions, Type } from 'typebox';

export function nullable<Schema extends TSchema>(schema: Schema, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

export const nullableText = nullable(Type.String());
