/**
 * The kinds of data plans and of airtime: how the network sells them. Plans of the same size differ
 * in price and provider by their kind. Catalog, routes, discounts and price rules use it.
 */

export const dataKinds = ['direct', 'sme', 'sme2', 'corporate_gifting', 'gifting', 'data_share'] as const;

export const airtimeKinds = ['vtu', 'share_and_sell'] as const;

export const planKinds = [...dataKinds, ...airtimeKinds] as const;

export type DataKind = (typeof dataKinds)[number];

export type PlanKind = (typeof planKinds)[number];
