/**
 * The envelope of everything told about gift cards and eSIMs on sale: catalogs, plans, quotes,
 * availability.
 */
import { type TSchema, Type } from 'typebox';
import { answer } from './answer.ts';

export function goodsAnswer<Data extends TSchema>(
  title: string,
  description: string,
  data: Data,
  example: unknown,
) {
  return answer(
    title,
    description,
    {
      status: Type.Literal('success'),
      code: Type.Literal(200),
      message: Type.String(),
      data,
    },
    { status: 'success', code: 200, message: 'OK', data: example },
  );
}

/** `message` is for people. */
export function goodsEnvelope<Data>(message: string, data: Data) {
  return { status: 'success', code: 200, message, data } as const;
}
