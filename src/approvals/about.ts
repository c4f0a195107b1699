/**
 * The subject of an act that waits: the merchant, purchase or deposit, and the money that it gives
 * away. It is stored with the act, as it was when the act was requested.
 */
import { type Static, Type } from 'typebox';
import { environments } from '../kernel/environment.ts';
import { amountOutput, oneOf } from '../kernel/operation-fields.ts';
import { orNull, textOrNull } from '../kernel/or-null.ts';

export const aboutOutput = Type.Object({
  merchant: orNull(Type.Object({ code: Type.String(), name: Type.String() })),
  purchase: orNull(
    Type.Object({
      id: Type.String(),
      reference: Type.String(),
      product: Type.String(),
      network: Type.String(),
      charge: amountOutput,
    }),
  ),
  deposit: orNull(
    Type.Object({ id: Type.String(), provider: Type.String(), provider_reference: Type.String() }),
  ),
  environment: orNull(oneOf(environments)),
  /** What it gives away, with a minus what it takes; null: nothing, or how much is unknown. */
  amount: textOrNull,
  currency: textOrNull,
  /** The same in naira, at the rate of that moment; null where there was no rate. */
  naira: textOrNull,
});

export type About = Static<typeof aboutOutput>;
