/** The test event that was sent. */
import { Type } from 'typebox';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { sampleId } from '../webhook.ts';

export const testAnswer = goodsAnswer(
  'EndpointTestAnswer',
  'The event is on its way: what becomes of it is among the deliveries.',
  Type.Object({ delivery_id: Type.String({ format: 'uuid' }), event_id: Type.String() }),
  {
    sent: goodsEnvelope('On its way', {
      delivery_id: sampleId,
      event_id: `evt_${sampleId.replaceAll('-', '')}`,
    }),
  },
);
