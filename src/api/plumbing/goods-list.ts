/**
 * Catalog answers as bytes. A catalog of thousands is read often and seldom changes. So each item
 * is serialised once for as long as the catalog holds it, and a list joins these texts.
 */
import { type TSchema, type TUnsafe, Type } from 'typebox';
import type { Listed } from '../../catalog/goods-index.ts';
import { detachBuffer } from '../../core/detach-buffer.ts';

/**
 * The schema of an answer that its route serialises itself. It documents the answer and does not
 * shape it.
 */
export function asBytes(schema: TSchema): TUnsafe<Buffer> {
  return Type.Unsafe<Buffer>(schema);
}

/** Returns the body of a catalog answer as bytes of JSON. */
export type ListWriter<Plan> = (listed: readonly Listed<Plan>[]) => Buffer;

export function createListWriter<Plan>(write: (item: Listed<Plan>) => object): ListWriter<Plan> {
  const items = new WeakMap<Listed<Plan>, string>();
  // A whole catalog is the same list until it is read again.
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
