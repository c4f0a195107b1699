/**
 * From what a merchant wrote to what the schemas speak of: one name for each field, one spelling
 * for each product.
 */
import type { FastifyRequest } from 'fastify';
import { isBillProduct, parseProduct } from '../../../products/product.ts';
import { isRecord } from '../../plumbing/is-record.ts';
import { refuseField } from '../../plumbing/refusal.ts';
import { fieldAliases } from './fields.ts';

/**
 * `preValidation` of purchases and verifications. What is not an object is left for the schema to
 * refuse.
 */
export async function readFields(request: Pick<FastifyRequest, 'body'>): Promise<void> {
  const { body } = request;
  if (!isRecord(body)) return;
  spellProduct(body);
  spellBillIds(body);
  resolveAliases(body);
}

/**
 * Puts the product into its canonical spelling, which is what the schemas of any product choose by.
 */
function spellProduct(body: Record<string, unknown>): void {
  if (typeof body.product === 'string') body.product = parseProduct(body.product) ?? body.product;
}

/**
 * The plan ids of bills are numbers in their list, so they are taken as numbers too. The product is
 * spelt already.
 */
function spellBillIds(body: Record<string, unknown>): void {
  if (typeof body.product !== 'string' || !isBillProduct(body.product)) return;
  for (const field of ['plan_code', 'plan', 'service_id']) {
    const id = body[field];
    if (Number.isSafeInteger(id)) body[field] = String(id);
  }
}

/**
 * The fields of the body under their own names. Throws a Refusal, 400, when a field is sent
 * under both of its names with different values.
 */
function resolveAliases(body: Record<string, unknown>): void {
  for (const [alias, field] of Object.entries(fieldAliases)) {
    if (!Object.hasOwn(body, alias)) continue;
    if (Object.hasOwn(body, field) && body[field] !== body[alias]) {
      throw refuseField(
        field,
        `${field} and ${alias} are one field and were sent with different values: send one`,
      );
    }
    body[field] = body[alias];
  }
}
