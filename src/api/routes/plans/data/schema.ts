/** The data plans of a network. */
import { type Static, Type } from 'typebox';
import { dataKinds } from '../../../../core/products/plan-kind.ts';
import { answer } from '../../../plumbing/answer.ts';
import { mobileNetwork, words } from '../../../plumbing/fields.ts';

export const plansParams = Type.Object({ network: mobileNetwork });

export const plansQuery = Type.Object({
  kind: Type.Optional(words(dataKinds, { description: `one of ${dataKinds.join(', ')}` })),
});

export const dataPlansAnswer = answer(
  'DataPlansAnswer',
  'The data plans on sale.',
  {
    status: Type.Literal('2000'),
    description: Type.String(),
    data: Type.Array(
      Type.Object({
        plan_code: Type.String({ description: 'what to send as plan_code' }),
        id: Type.Integer({ description: 'catalog id (legacy)' }),
        name: Type.String(),
        description: Type.String(),
        price: Type.String({ description: 'naira; the amount to send' }),
        tarrifTypeId: Type.String({ description: "the network's own tariff id (legacy)" }),
        validity: Type.String(),
        value: Type.String({ description: 'how much data' }),
        group: Type.String(),
        kind: words(dataKinds, { description: 'how the network sells it' }),
        shortCode: Type.String({ description: 'also accepted as plan_code' }),
      }),
    ),
  },
  {
    plans: {
      status: '2000',
      description: 'Data plans of MTN',
      data: [
        {
          plan_code: 'MTN-1',
          id: 1001,
          name: 'MTN Gifting 110MB - 1 day',
          description: "110MB of the network's own bundle, valid for 1 day",
          price: '100.00',
          tarrifTypeId: '1010',
          validity: '1 day',
          value: '110MB',
          group: 'Daily',
          kind: 'gifting',
          shortCode: 'MTN-110MB-1D',
        },
      ],
    },
  },
);

export type DataPlansAnswer = Static<typeof dataPlansAnswer>;
