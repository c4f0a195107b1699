/**
 * Parses goods that a person entered from a provider's support. They are checked, because they are
 * sealed and shown to the customer unchanged. Pure.
 */
import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { OwedGoods } from '../../core/products/product-record.ts';
import type { Goods } from '../../providers/provider.ts';

const Word = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
});
const Instructions = Type.String({ minLength: 1, maxLength: 5_000 });

const strict = { additionalProperties: false } as const;
const Common = {
  redemption_instructions: Type.Optional(Instructions),
  reference_code: Type.Optional(Word),
};

const CardText = Type.Object(
  {
    card_number: Type.Optional(Word),
    pin: Type.Optional(Word),
    claim_url: Type.Optional(Word),
    expiry: Type.Optional(Word),
  },
  { ...strict, minProperties: 1 },
);
const PinText = Type.Object({ serial: Type.Optional(Word), pin: Word }, strict);
const LPA = /^LPA:1\$([^$\s]+)\$([^$\s]+)(?:\$[^\s]*)?$/;

type Sealed = Exclude<OwedGoods, 'token'>;

const schemas: Readonly<Record<Sealed, (quantity: number) => TSchema>> = {
  cards: (quantity) => Type.Object({ cards: exactly(CardText, quantity), ...Common }, strict),
  pins: (quantity) => Type.Object({ pins: exactly(PinText, quantity), ...Common }, strict),
  iccid: () =>
    Type.Object(
      {
        iccid: Type.String({ pattern: '^[0-9]{18,22}$' }),
        lpa: Type.String({ maxLength: 500, pattern: LPA.source }),
        ...Common,
      },
      strict,
    ),
};

/** Undefined unless they are exactly the missing goods. */
export function readGoods(typed: unknown, owed: Sealed, quantity: number): Goods | undefined {
  if (!Value.Check(schemas[owed](quantity), typed)) return undefined;
  const goods = typed as Goods;
  const [, host, code] = LPA.exec(goods.lpa ?? '') ?? [];
  return host === undefined || code === undefined
    ? goods
    : { ...goods, smdp_address: host, activation_code: code };
}

function exactly(item: TSchema, count: number): TSchema {
  return Type.Array(item, { minItems: count, maxItems: count });
}
