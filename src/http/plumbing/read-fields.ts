/** From what a merchant wrote to what the schemas speak of: one name for each field, whole numbers for digits. */
import { invalidField } from '../../kernel/errors.ts';
import { isBillProduct, parseProduct } from '../../products/product.ts';
import { fieldAliases } from './schemas.ts';

/**
 * The fields of a create body under their own names. Throws GatewayError `invalid` when a field is sent under both
 * of its names with different values. What is not an object is left for the schema to refuse.
 */
export function resolveAliases(body: unknown): unknown {
  if (!isRecord(body)) return body;
  for (const [alias, field] of Object.entries(fieldAliases)) {
    if (!Object.hasOwn(body, alias)) continue;
    if (Object.hasOwn(body, field) && body[field] !== body[alias]) {
      throw invalidField(
        field,
        `${field} and ${alias} are one field and were sent with different values: send one`,
      );
    }
    body[field] = body[alias];
  }
  return body;
}

/** Puts the product into its canonical spelling, which is what the schemas of any product choose by. */
export function spellProduct(body: unknown): unknown {
  if (isRecord(body) && typeof body.product === 'string') {
    body.product = parseProduct(body.product) ?? body.product;
  }
  return body;
}

/** The plan ids of bills are numbers in their list, so they are taken as numbers too. The product is spelt already. */
export function spellBillIds(body: unknown): unknown {
  if (!isRecord(body) || typeof body.product !== 'string' || !isBillProduct(body.product)) return body;
  for (const field of ['plan_code', 'plan', 'service_id']) {
    const id = body[field];
    if (Number.isSafeInteger(id)) body[field] = String(id);
  }
  return body;
}

const WHOLE_NUMBER = /^[0-9]{1,9}$/;

/** Turns the query values of `names` that are nothing but digits into numbers; the schema refuses what is left. */
export function readWholeNumbers(query: unknown, names: readonly string[]): void {
  if (!isRecord(query)) return;
  for (const name of names) {
    const value = query[name];
    if (typeof value === 'string' && WHOLE_NUMBER.test(value)) query[name] = Number(value);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
