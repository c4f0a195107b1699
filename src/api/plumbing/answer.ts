/**
 * How the answers of the routes are written as schemas, and what several of them have in common.
 */
import { type TProperties, Type } from 'typebox';
import type { PurchaseStatus } from '../../purchases/state/purchase.ts';
import { words } from './fields.ts';
import type { Examples } from './openapi/annotations.ts';

/**
 * One answer: its `title` becomes the schema's name in the OpenAPI document, its description that
 * of the response. Each example has a name.
 */
export function answer<Properties extends TProperties>(
  title: string,
  description: string,
  properties: Properties,
  examples: Examples = {},
) {
  return Type.Object(properties, { title, 'x-response-description': description, 'x-examples': examples });
}

export const optionalText = (description: string) => Type.Optional(Type.String({ description }));

/** How a purchase stands: the word, and the code that goes with it. */
export const outcomeCodes = { success: '00', failed: '01', pending: '02' } as const satisfies Readonly<
  Record<PurchaseStatus, string>
>;

/** The HTTP status, in the bodies that have it. */
export const okCode = Type.Unsafe<200>(Type.Integer({ const: 200 }));

export const statusWord = words(['success', 'failed', 'pending']);
export const outcomeCode = words(['00', '01', '02'], { description: '00 success, 01 failed, 02 pending' });
