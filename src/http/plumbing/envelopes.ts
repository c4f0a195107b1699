// The shapes a vend is answered in: envelope A on create, envelope B on status, a row in the list. Pure; every text and
// amount of the wire is written here.
import { formatLocal, formatRfc3339 } from '../../kernel/clock.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { Vend, VendMode, VendStatus } from '../../vending/vend/vend.ts';

export const outcomeCodes = { success: '00', failed: '01', pending: '02' } as const satisfies Readonly<
  Record<VendStatus, string>
>;

/** The goods that the wire knows by name; a connector's others stay inside. */
const goodsNames = ['token', 'units', 'kct1', 'kct2', 'payment_spent_on', 'customer_name'] as const;

type Goods = Partial<Record<(typeof goodsNames)[number], string>>;

type Purchase = {
  readonly internal_reference: string;
  readonly msisdn: string;
  readonly product: string;
  readonly request_id: string;
  readonly network: string;
  readonly amount: string;
  readonly plan: string;
  readonly merchant_id: number;
};

export type CreateEnvelope = {
  readonly status: VendStatus;
  readonly response_code: (typeof outcomeCodes)[VendStatus];
  readonly response_message: string;
  readonly data: Purchase & { readonly created_at?: string; readonly telco_message?: string } & Goods;
};

/** Envelope A. An async create does not carry `created_at`. */
export function createEnvelope(vend: Vend, mode: VendMode): CreateEnvelope {
  return {
    status: vend.status,
    response_code: outcomeCodes[vend.status],
    response_message: vend.message,
    data: {
      ...purchaseOf(vend),
      ...(mode === 'sync' ? { created_at: formatRfc3339(vend.createdAt) } : {}),
      ...deliveryOf(vend),
    },
  };
}

export type StatusEnvelope = {
  readonly state: VendStatus;
  readonly code: (typeof outcomeCodes)[VendStatus];
  readonly message: string;
  readonly payload: Purchase & {
    readonly merchant_name: string;
    readonly created_at: string;
    readonly updated_at: string;
    readonly telco_message?: string;
  } & Goods;
};

/** Envelope B. */
export function statusEnvelope(vend: Vend): StatusEnvelope {
  return {
    state: vend.status,
    code: outcomeCodes[vend.status],
    message: vend.message,
    payload: {
      ...purchaseOf(vend),
      merchant_name: vend.merchantName,
      created_at: formatLocal(vend.createdAt),
      updated_at: formatLocal(vend.updatedAt),
      ...deliveryOf(vend),
    },
  };
}

export type ListRow = Purchase & {
  readonly status: VendStatus;
  readonly code: (typeof outcomeCodes)[VendStatus];
  readonly created_at: string;
  readonly updated_at: string;
};

export function listRow(vend: Vend): ListRow {
  return {
    ...purchaseOf(vend),
    status: vend.status,
    code: outcomeCodes[vend.status],
    created_at: formatLocal(vend.createdAt),
    updated_at: formatLocal(vend.updatedAt),
  };
}

function purchaseOf(vend: Vend): Purchase {
  return {
    internal_reference: vend.id,
    msisdn: vend.msisdn,
    product: vend.product,
    request_id: vend.reference,
    network: vend.network,
    amount: formatAmount(vend.faceValue),
    plan: vend.planCode ?? '',
    merchant_id: vend.merchantId,
  };
}

function deliveryOf(vend: Vend): { telco_message?: string } & Goods {
  const delivery: { telco_message?: string } & Goods = {};
  if (vend.telcoMessage !== undefined) delivery.telco_message = vend.telcoMessage;
  for (const name of goodsNames) {
    const value = vend.goods[name];
    if (value !== undefined && value !== null) delivery[name] = String(value);
  }
  return delivery;
}
