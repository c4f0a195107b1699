/**
 * The envelope of answers about gift cards and eSIMs on sale: catalogs, plans, quotes and
 * availability.
 */
import { type TSchema, Type } from 'typebox';
import { answer, okCode } from './answer.ts';
import type { Examples } from './openapi/annotations.ts';

export function goodsAnswer<Data extends TSchema>(
  title: string,
  description: string,
  data: Data,
  examples: Examples,
) {
  return answer(
    title,
    description,
    {
      status: Type.Literal('success'),
      code: okCode,
      message: Type.String(),
      data,
    },
    examples,
  );
}

/** `message` is for people. */
export function goodsEnvelope<Data>(message: string, data: Data) {
  return { status: 'success', code: 200, message, data } as const;
}
