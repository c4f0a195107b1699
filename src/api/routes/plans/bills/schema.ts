/** The plans of a bill product. */
import { type Static, Type } from 'typebox';
import { billProducts } from '../../../../core/products/product.ts';
import { answer, optionalText } from '../../../plumbing/answer.ts';
import { billNetwork, text, words } from '../../../plumbing/fields.ts';

export const plansParams = Type.Object({
  product: text(
    `one of ${billProducts.map((product) => product.toLowerCase()).join(', ')}, in any letter case`,
    { format: 'bill-product', examples: ['electricity'] },
  ),
});

export const plansQuery = Type.Object({
  network: Type.Optional(billNetwork('a network of the product, such as "EKEDC" or "DSTV"', 'EKEDC')),
});

export const billPlansAnswer = answer(
  'BillPlansAnswer',
  'The plans on sale.',
  {
    status: Type.Literal('2000'),
    description: Type.String(),
    data: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'what to send as plan_code' }),
        name: Type.String(),
        network: Type.String(),
        product: words(billProducts),
        amount_type: words(['variable', 'fixed'], {
          description: 'fixed: the amount to send is the price; variable: you set it',
        }),
        price: optionalText('naira; of fixed plans only'),
      }),
    ),
  },
  {
    fixed: {
      status: '2000',
      description: 'Plans of DSTV CABLE',
      data: [
        {
          id: 2101,
          name: 'DStv Padi',
          network: 'DSTV',
          product: 'CABLE',
          amount_type: 'fixed',
          price: '4400.00',
        },
      ],
    },
    variable: {
      status: '2000',
      description: 'Plans of Ikeja Electric ELECTRICITY',
      data: [
        {
          id: 2001,
          name: 'Ikeja Electric Prepaid',
          network: 'Ikeja Electric',
          product: 'ELECTRICITY',
          amount_type: 'variable',
        },
      ],
    },
  },
);

export type BillPlansAnswer = Static<typeof billPlansAnswer>;
