/** Plans, gift cards, vouchers and eSIMs. */
import { call, pathOf } from '../call.ts';
import {
  type EsimOrderAnswer,
  type EsimOrderBody,
  type GiftCardOrderAnswer,
  type GiftCardOrderBody,
  type Operations,
  operations,
  type RedeemBody,
} from '../generated/api.ts';
import type { CallOptions, Settings } from '../options.ts';
import { buyOrder, type WithRequestId } from './purchase-kinds.ts';

type Answer<Name extends keyof Operations> = Promise<Operations[Name]['answer']>;
type Query<Name extends keyof Operations> = NonNullable<Operations[Name]['query']>;

export type GiftCardInput = WithRequestId<GiftCardOrderBody>;
export type EsimInput = WithRequestId<EsimOrderBody>;
export type RedeemInput = WithRequestId<RedeemBody>;

export type PlanMethods = {
  data(network: string, options?: CallOptions): Answer<'listDataPlans'>;
  bills(product: string, query?: Query<'listBillPlans'>, options?: CallOptions): Answer<'listBillPlans'>;
};

export type GiftCardMethods = {
  catalog(query?: Query<'listGiftCards'>, options?: CallOptions): Answer<'listGiftCards'>;
  quote(planId: number, query?: Query<'quoteGiftCard'>, options?: CallOptions): Answer<'quoteGiftCard'>;
  quoteByBody(
    body: Operations['quoteGiftCardByBody']['body'],
    options?: CallOptions,
  ): Answer<'quoteGiftCardByBody'>;
  availability(
    planId: number,
    query?: Query<'getGiftCardAvailability'>,
    options?: CallOptions,
  ): Answer<'getGiftCardAvailability'>;
  order(input: GiftCardInput, options?: CallOptions): Promise<GiftCardOrderAnswer>;
  getOrder(requestId: string, options?: CallOptions): Promise<GiftCardOrderAnswer>;
};

export type VoucherMethods = {
  redeem(input: RedeemInput, options?: CallOptions): Promise<EsimOrderAnswer>;
};

export type EsimMethods = {
  catalog(query?: Query<'listEsims'>, options?: CallOptions): Answer<'listEsims'>;
  get(planId: string, options?: CallOptions): Answer<'getEsim'>;
  quote(planId: string, options?: CallOptions): Answer<'quoteEsim'>;
  order(input: EsimInput, options?: CallOptions): Promise<EsimOrderAnswer>;
  getOrder(requestId: string, options?: CallOptions): Promise<EsimOrderAnswer>;
  /** The bytes of a PNG. `NotFoundError` until the eSIM is issued. */
  qrCode(requestId: string, options?: CallOptions): Promise<Uint8Array>;
};

type Look = <Name extends keyof Operations>(
  name: Name,
  path: Readonly<Record<string, string | number>>,
  query: Query<Name> | undefined,
  options: CallOptions | undefined,
) => Answer<Name>;

function looking(settings: Settings): Look {
  return (name, parameters, query, options) => {
    const { method, path } = operations[name];
    return call(settings, 'look_up', { method, path: pathOf(path, parameters), query }, options);
  };
}

export function planMethods(settings: Settings): PlanMethods {
  const look = looking(settings);
  return {
    data: async (network, options) => look('listDataPlans', { network }, undefined, options),
    bills: async (product, query, options) => look('listBillPlans', { product }, query, options),
  };
}

export function giftCardMethods(settings: Settings): GiftCardMethods {
  const look = looking(settings);
  return {
    catalog: (query, options) => look('listGiftCards', {}, query, options),
    quote: async (planId, query, options) => look('quoteGiftCard', { plan_id: planId }, query, options),
    quoteByBody: (body, options) =>
      call(settings, 'look_up', { ...operations.quoteGiftCardByBody, body }, options),
    availability: async (planId, query, options) =>
      look('getGiftCardAvailability', { plan_id: planId }, query, options),
    order: async (input, options) => buyOrder(settings, 'createGiftCardOrder', input, options),
    getOrder: async (requestId, options) =>
      look('getGiftCardOrder', { request_id: requestId }, undefined, options),
  };
}

export function voucherMethods(settings: Settings): VoucherMethods {
  return { redeem: async (input, options) => buyOrder(settings, 'redeemVoucher', input, options) };
}

export function esimMethods(settings: Settings): EsimMethods {
  const look = looking(settings);
  return {
    catalog: (query, options) => look('listEsims', {}, query, options),
    get: async (planId, options) => look('getEsim', { plan_id: planId }, undefined, options),
    quote: async (planId, options) => look('quoteEsim', { plan_id: planId }, undefined, options),
    order: async (input, options) => buyOrder(settings, 'createEsimOrder', input, options),
    getOrder: async (requestId, options) =>
      look('getEsimOrder', { request_id: requestId }, undefined, options),
    qrCode: async (requestId, options) => {
      const { method, path } = operations.getEsimQrCode;
      const request = { method, path: pathOf(path, { request_id: requestId }), answers: 'png' } as const;
      return call(settings, 'look_up', request, options);
    },
  };
}
