/**
 * Normalises the body of a merchant for the schemas: one name for each field, one spelling for each
 * product.
 */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isRecord } from '../../../core/json.ts';
import { parseMobileNumber } from '../../../core/products/mobile-number.ts';
import { isBillProduct, parseProduct } from '../../../core/products/product.ts';
import { refuseField } from '../../plumbing/refusal.ts';
import { spellIds } from '../../plumbing/spell-ids.ts';
import { fieldAliases } from './fields.ts';

/**
 * The `preValidation` hook of purchases and verifications. The schema refuses a body that is not an
 * object.
 */
export function readFields(
  { body }: Pick<FastifyRequest, 'body'>,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  if (isRecord(body)) spellFields(body);
  done();
}

/** Spells the fields as the schemas have them. Throws a Refusal as `resolveAliases` does. */
export function spellFields(body: Record<string, unknown>): void {
  spellProduct(body);
  spellIds(body, ['plan_code', 'plan', 'service_id']);
  resolveAliases(body);
}

/** `readFields` for routes that set the product: a product in the body is ignored. */
export function readDirectFields(
  request: Pick<FastifyRequest, 'body'>,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  if (isRecord(request.body)) delete request.body.product;
  readFields(request, reply, done);
}

/** Puts the product into its canonical spelling, by which the schemas of any product choose. */
function spellProduct(body: Record<string, unknown>): void {
  if (typeof body.product === 'string') body.product = parseProduct(body.product) ?? body.product;
}

const aliases = Object.entries(fieldAliases);

/**
 * Returns the fields of the body under their own names. Throws a Refusal, 400, when a field is sent
 * under both of its names with different values.
 */
function resolveAliases(body: Record<string, unknown>): void {
  for (const [alias, field] of aliases) {
    if (!Object.hasOwn(body, alias)) continue;
    if (!Object.hasOwn(body, field) || body[field] === '') body[field] = body[alias];
    else if (!meanTheSame(body, field, alias)) {
      throw refuseField(
        field,
        'alias_differs',
        `${field} and ${alias} are one field and were sent with different values: send one`,
      );
    }
  }
}

/**
 * Letter case matters only in references. Mobile numbers have several spellings; the numbers of
 * billers' customers have one.
 */
function meanTheSame(body: Record<string, unknown>, field: string, alias: string): boolean {
  const [one, other] = [body[field], body[alias]];
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  switch (field) {
    case 'merchant':
    case 'plan_code':
      return one.toLowerCase() === other.toLowerCase();
    case 'msisdn': {
      const number = isBill(body.product) ? undefined : parseMobileNumber(one);
      return number !== undefined && number === parseMobileNumber(other);
    }
    default:
      return false;
  }
}

function isBill(product: unknown): boolean {
  return typeof product === 'string' && isBillProduct(product);
}
