/** Creates a link to the receipt of a purchase, and revokes the links that exist. */
import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import { type Clock, formatRfc3339 } from '../../../core/clock.ts';
import { defineOperation, supporters } from '../../../core/operation.ts';
import { inputOf, merchantField, timeOutput } from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { requireReceipt } from '../read-receipt.ts';
import { linkDaysDefault, linkDaysMax, receiptAddress, signReceiptLink } from '../receipt-link.ts';
import { addToReceipt, findReceipt } from '../receipt-store.ts';

const DAY_MS = 86_400_000;

type Needs = Acting & {
  readonly clock: Clock;
  readonly pepper: () => Promise<KeyObject>;
  readonly signIn: { readonly addresses: { readonly portal: string } };
};

const linkReceiptOperation = defineOperation({
  name: 'receipt.link',
  kind: 'act',
  summary: 'create a link to the receipt of a delivered purchase, which needs no sign-in',
  roles: supporters,
  portal: { roles: ['finance', 'developer'] },
  // Shops print a receipt with each sale. A receipt shows no codes that could be spent.
  withoutStepUp: true,
  route: 'POST /merchants/{merchant}/purchases/{reference}/receipt-links',
  document: 'merchants/portal.md',
  input: inputOf({
    ...purchaseFields,
    merchant: merchantField,
    days: Type.Optional(
      Type.Integer({
        description: `after how many days the link expires, from 1 to ${linkDaysMax}`,
        minimum: 1,
        maximum: linkDaysMax,
        default: linkDaysDefault,
      }),
    ),
  }),
  output: Type.Object({
    id: Type.String(),
    reference: Type.String(),
    url: Type.String(),
    expires_at: timeOutput,
  }),
  run: async ({ tx, actor, clock, pepper, signIn }: Needs, { days = linkDaysDefault, ...named }) => {
    const purchase = await requirePurchase(tx, named);
    const { key } = await requireReceipt(tx, purchase);
    const { revision } = await findReceipt(tx, key);
    const expiresAt = new Date(clock.now().getTime() + days * DAY_MS);
    const signed = signReceiptLink(await pepper(), { ...key, revision, expiresAt });
    const { id, reference } = purchase;
    await recordOperation(tx, {
      actor,
      action: 'receipt.link',
      subject: `purchase:${id}`,
      after: { expires_at: formatRfc3339(expiresAt) },
    });
    return {
      id,
      reference,
      url: receiptAddress(signIn.addresses.portal, signed),
      expires_at: formatRfc3339(expiresAt),
    };
  },
});

const revokeReceiptOperation = defineOperation({
  name: 'receipt.revoke',
  kind: 'act',
  summary: 'revoke all links to the receipt of a purchase, including those in messages',
  roles: supporters,
  portal: { roles: ['finance', 'developer'] },
  withoutStepUp: true,
  route: 'DELETE /merchants/{merchant}/purchases/{reference}/receipt-links',
  document: 'merchants/portal.md',
  input: inputOf({ ...purchaseFields, merchant: merchantField }),
  output: Type.Object({ id: Type.String(), reference: Type.String() }),
  run: async ({ tx, actor }: Acting, named) => {
    const { id, reference, merchant_id: merchantId } = await requirePurchase(tx, named);
    const { revision } = await addToReceipt(tx, { merchantId, purchaseId: id }, { revision: 1 });
    await recordOperation(tx, {
      actor,
      action: 'receipt.revoke',
      subject: `purchase:${id}`,
      after: { revision },
    });
    return { id, reference };
  },
});

export const receiptLinkOperations = [linkReceiptOperation, revokeReceiptOperation] as const;
