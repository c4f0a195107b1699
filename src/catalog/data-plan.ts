/**
 * A data plan of the catalog: one data bundle of a mobile network. It says what a merchant can
 * order, what it costs, and which codes it has at each provider.
 */
import type { MobileNetwork } from '../products/network.ts';

export type DataPlan = {
  /** `<NETWORK>-<n>`, the reference a merchant should order by. */
  readonly planCode: string;
  /** The catalog id, unique over every product's plans. */
  readonly id: number;
  readonly network: MobileNetwork;
  readonly name: string;
  readonly description: string;
  /** Face value in kobo; an order's amount must equal it. */
  readonly price: bigint;
  /** The network operator's own id of the tariff; not a catalog id, though it may look like one. */
  readonly tariffTypeId: string;
  /** The product id that clients of the second network still order by. */
  readonly legacyProductId: string | undefined;
  readonly validity: string;
  readonly size: string;
  /** The period that plans are listed under: `Daily`, `Weekly`, `Monthly`. */
  readonly group: string;
  /** A code for people, such as `MTN-1GB-30D`. */
  readonly shortCode: string;
  /** The plan's codes by provider name. Each provider has codes of its own form. */
  readonly providerCodes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** False: withdrawn from sale, neither listed nor found. */
  readonly active: boolean;
};
