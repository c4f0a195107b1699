/**
 * A catalog as the bytes of its answer. A catalog of thousands is asked for all the time and seldom
 * changes, so each item is written once for as long as the catalog holds it, and a list is put
 * together from those texts.
 */
import { type TSchema, type TUnsafe, Type } from 'typebox';
import type { Listed } from '../../catalog/goods-index.ts';
import { detachBuffer } from '../../core/detach-buffer.ts';

/**
 * The schema of an answer that its route writes itself, as bytes: it documents them and does not
 * shape them.
 */
export function asBytes(schema: TSchema): TUnsafe<Buffer> {
  return Type.Unsafe<Buffer>(schema);
}

/** The body of a catalog answer, as bytes of JSON. */
export type ListWriter<Plan> = (listed: readonly Listed<Plan>[]) => Buffer;

export function createListWriter<Plan>(write: (item: Listed<Plan>) => object): ListWriter<Plan> {
  const items = new WeakMap<Listed<Plan>, string>();
  // A catalog that is asked for whole is the same list until it is read again.
  const bodies = new WeakMap<readonly Listed<Plan>[], Buffer>();
  const itemText = (item: Listed<Plan>): string => {
    let text = items.get(item);
    if (text === undefined) {
      text = JSON.stringify(write(item));
      items.set(item, text);
    }
    return text;
  };
  return (listed) => {
    let body = bodies.get(listed);
    if (body === undefined) {
      const head = `{"status":"success","code":200,"message":"${listed.length} found","data":[`;
      body = detachBuffer(Buffer.from(`${head}${listed.map(itemText).join(',')}]}`));
      bodies.set(listed, body);
    }
    return body;
  };
}
