/** Sends the receipt of a purchase, with its token, to the customer by e-mail or phone. */
import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, supporters } from '../../../core/operation.ts';
import { inputOf, merchantField, oneOf, text } from '../../../core/operation-fields.ts';
import type { Sealer } from '../../../core/sealing.ts';
import { upsertDelivery } from '../../../notifications/messages/delivery-store.ts';
import {
  type DeliveryChannel,
  deliveryChannels,
  parseDestination,
  sealDestination,
} from '../../../notifications/messages/destination.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { requireReceipt } from '../read-receipt.ts';
import { addToReceipt } from '../receipt-store.ts';

/** Each message costs the operator money and annoys the customer. */
const SENDS_MAX = 5;

type Needs = Acting & {
  readonly sealer: () => Promise<Pick<Sealer, 'seal'>>;
  readonly liveChannels: readonly DeliveryChannel[];
};

export const sendReceiptOperation = defineOperation({
  name: 'receipt.send',
  kind: 'act',
  summary: 'send the receipt of a purchase, with its token, to the customer by e-mail, SMS or WhatsApp',
  roles: supporters,
  portal: { roles: ['finance', 'developer'] },
  withoutStepUp: true,
  route: 'POST /merchants/{merchant}/purchases/{reference}/receipt-messages',
  document: 'merchants/portal.md',
  input: inputOf({
    ...purchaseFields,
    merchant: merchantField,
    channel: oneOf(deliveryChannels),
    to: text('an e-mail address, or a mobile number such as 08031234567', { maxLength: 190 }),
  }),
  output: Type.Object({
    id: Type.String(),
    reference: Type.String(),
    channel: oneOf(deliveryChannels),
    /** The masked destination. */
    hint: Type.String(),
  }),
  run: async ({ tx, actor, sealer, liveChannels }: Needs, { channel, to, ...named }) => {
    const purchase = await requirePurchase(tx, named);
    const { id, reference, environment } = purchase;
    const { receipt, key } = await requireReceipt(tx, purchase);
    if (receipt.isOfCards) throw new OperationError({ code: 'receipt_of_cards' });
    if (environment === 'live' && !liveChannels.includes(channel)) {
      throw new OperationError({ code: 'channel_missing', channel, known: liveChannels });
    }
    const destination = parseDestination(channel, to.trim());
    if (destination === undefined) throw new OperationError({ code: 'destination_malformed' });
    const { sends } = await addToReceipt(tx, key, { sends: 1 });
    if (sends > SENDS_MAX) {
      throw new OperationError({ code: 'receipt_sent_often', max: SENDS_MAX });
    }
    const { seal } = await sealer();
    const sealed = sealDestination(destination, id, seal);
    if (!(await upsertDelivery(tx, purchase, sealed))) {
      throw new OperationError({ code: 'delivery_under_way' });
    }
    const { hint } = sealed;
    await recordOperation(tx, {
      actor,
      action: 'receipt.send',
      subject: `purchase:${id}`,
      after: { channel, to: hint },
    });
    return { id, reference, channel, hint };
  },
});
