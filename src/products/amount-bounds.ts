// What one airtime purchase may be worth. The interface leaves the bounds open; these are the gateway's own, checked
// before anything is stored, and wide on purpose: they stop mistakes of unit and of the decimal point, while the
// provider's narrower bounds stay the provider's to refuse. Data needs none: its amount must equal the plan's price.

/** 10 naira, in kobo: less than any recharge sold, so what lies below is an amount in the wrong unit. */
const AIRTIME_MIN = 1_000n;

/** 500,000 naira, in kobo: more than one line is recharged with at once, and little enough that a slip can be borne. */
const AIRTIME_MAX = 50_000_000n;

/** The lowest and the highest face value of an airtime purchase, both allowed, in kobo. */
export const airtimeBounds: { readonly min: bigint; readonly max: bigint } = {
  min: AIRTIME_MIN,
  max: AIRTIME_MAX,
};
