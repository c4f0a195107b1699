// What orders of gift cards and eSIMs carry and are answered with, as schemas. A field's description ends the sentence "<field> must be …".
import { type Static, type TSchema, Type } from 'typebox';
import { deliveryChannels } from '../../messages/destination.ts';
import { answer, optionalText, orderGoodsProperties, outcomeCode, statusWord } from './answers.ts';
import { esimPlanId, faceValue, giftCardPlanId, quantity } from './goods-schemas.ts';
import { words } from './schemas.ts';

function requestId(maxLength: number, example: string) {
  return Type.String({
    description: `your own unique key for this order, a string of 1 to ${maxLength} characters without control characters or spaces around it`,
    format: 'clean-text',
    minLength: 1,
    maxLength,
    examples: [example],
  });
}

const giftCardRequestId = requestId(100, 'card-20261121-0001');
const esimRequestId = requestId(40, 'esim-20261121-0001');

export const giftCardOrderParams = Type.Object({ request_id: giftCardRequestId });
export const esimOrderParams = Type.Object({ request_id: esimRequestId });

export const giftCardOrderBody = Type.Object(
  {
    request_id: giftCardRequestId,
    plan_id: giftCardPlanId,
    quantity: Type.Optional(quantity),
    face_value: faceValue,
    send_via: Type.Optional(
      words(deliveryChannels, { description: `one of ${deliveryChannels.join(', ')}` }),
    ),
    destination: Type.Optional(
      Type.String({
        description: 'the e-mail address or phone number that receives the card',
        minLength: 1,
        maxLength: 254,
      }),
    ),
  },
  {
    description: 'a JSON object',
    title: 'GiftCardOrderBody',
    examples: [{ request_id: 'card-20261121-0001', plan_id: 300002, quantity: 1 }],
  },
);

export type GiftCardOrderBody = Static<typeof giftCardOrderBody>;

export const esimOrderBody = Type.Object(
  { request_id: esimRequestId, plan_id: esimPlanId },
  {
    description: 'a JSON object',
    title: 'EsimOrderBody',
    examples: [{ request_id: 'esim-20261121-0001', plan_id: 'NG-1GB-7D' }],
  },
);

export type EsimOrderBody = Static<typeof esimOrderBody>;

export const redeemBody = Type.Object(
  {
    request_id: esimRequestId,
    code: Type.String({
      description: 'the code of one of your vouchers, such as "4F7K-9QXM-2D8H-B3TG"',
      minLength: 1,
      maxLength: 64,
      examples: ['4F7K-9QXM-2D8H-B3TG'],
    }),
    pin: Type.Optional(
      Type.String({ description: 'left out or empty: a voucher has no PIN', maxLength: 0, examples: [''] }),
    ),
    product: Type.String({
      description: 'ESIM: a voucher is redeemed into an eSIM',
      pattern: '^[Ee][Ss][Ii][Mm]$',
      examples: ['ESIM'],
    }),
    plan: esimPlanId,
  },
  {
    description: 'a JSON object',
    title: 'RedeemBody',
    examples: [
      { request_id: 'esim-20261121-0002', code: '4F7K-9QXM-2D8H-B3TG', product: 'ESIM', plan: 'NG-1GB-7D' },
    ],
  },
);

export type RedeemBody = Static<typeof redeemBody>;

function orderAnswer(title: string, example: Record<string, unknown>): TSchema {
  return answer(
    title,
    'The order, as far as it has got. A failed order is not an HTTP error.',
    {
      status: statusWord,
      response_code: outcomeCode,
      response_message: Type.String(),
      data: Type.Object({
        request_id: Type.String(),
        product: Type.String(),
        internal_reference: Type.String({ format: 'uuid' }),
        product_title: Type.String(),
        plan: Type.String({ description: 'the plan_id' }),
        quantity: Type.Optional(Type.Integer()),
        amount: Type.String({ description: 'naira with two decimals: what the wallet pays' }),
        merchant_id: Type.Integer(),
        created_at: Type.String({ description: 'RFC 3339' }),
        telco_message: optionalText('what the provider said'),
        ...orderGoodsProperties,
      }),
    },
    {
      status: 'success',
      response_code: '00',
      response_message: 'Transaction successful',
      data: { internal_reference: '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10', merchant_id: 1, ...example },
    },
  );
}

export const giftCardOrderAnswer = orderAnswer('GiftCardOrderAnswer', {
  request_id: 'card-20261121-0001',
  product: 'GIFTCARD',
  product_title: 'Amazon US USD 25',
  plan: '300002',
  quantity: 1,
  amount: '39783.75',
  created_at: '2026-11-21T13:05:09.120+01:00',
  reference_code: 'SBX-2F61D90A77',
  cards: [{ card_number: 'TEST-1234-5678-9012', pin: '123456' }],
});

export const esimOrderAnswer = orderAnswer('EsimOrderAnswer', {
  request_id: 'esim-20261121-0001',
  product: 'ESIM',
  product_title: 'Nigeria 1 GB 7 days',
  plan: 'NG-1GB-7D',
  amount: '3469.61',
  created_at: '2026-11-21T13:05:09.120+01:00',
  reference_code: 'SBX-2F61D90A77',
  iccid: '8923400123456789012',
  activation_code: '3C5D1B0A99F24E77A610',
  smdp_address: 'smdp.esim.example',
  lpa: 'LPA:1$smdp.esim.example$3C5D1B0A99F24E77A610',
  redemption_instructions: 'Scan the QR code under Settings, Mobile Data, Add eSIM.',
});
