/** The schemas of answers, and the parts that several of them share. */
import { type TProperties, Type } from 'typebox';
import type { PurchaseStatus } from '../../purchases/state/purchase.ts';
import { words } from './fields.ts';
import type { Examples } from './openapi/annotations.ts';

/**
 * One answer. Its `title` becomes the schema's name in the OpenAPI document, and its description
 * that of the response. Each example has a name.
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

/** The state of a purchase as a word, and the code that belongs to it. */
export const outcomeCodes = { success: '00', failed: '01', pending: '02' } as const satisfies Readonly<
  Record<PurchaseStatus, string>
>;

/** The HTTP status, in the bodies that repeat it. */
export const okCode = Type.Unsafe<200>(Type.Integer({ const: 200 }));

export const statusWord = words(['success', 'failed', 'pending']);
export const outcomeCode = words(['00', '01', '02'], { description: '00 success, 01 failed, 02 pending' });
