/** The body of an order of an eSIM. */
import { Type } from 'typebox';
import { esimPlanId, esimRequestId } from '../../../plumbing/esim-fields.ts';
import { bodyOptions } from '../../../plumbing/fields.ts';

export const orderParams = Type.Object({ request_id: esimRequestId });

export const orderBody = Type.Object(
  { request_id: esimRequestId, plan_id: esimPlanId },
  {
    ...bodyOptions,
    title: 'EsimOrderBody',
    'x-examples': { esim: { request_id: 'esim-20261121-0001', plan_id: 'NG-1GB-7D' } },
  },
);

/** An image is not JSON: it is documented and not shaped. */
export const qrCodeAnswer = {
  description: 'The QR code.',
  content: { 'image/png': { schema: Type.Unsafe<Buffer>(Type.String({ format: 'binary' })) } },
};
