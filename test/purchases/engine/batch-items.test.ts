/** The database reads the items of a batch as the gateway wrote them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AcceptItem, toAcceptRecord } from '../../../src/purchases/engine/accept-store.ts';
import { type ResolveItem, toResolveRecord } from '../../../src/purchases/engine/resolve-store.ts';
import { openFileDatabase } from '../../support/file-database.ts';

const database = await openFileDatabase();

async function readBack(type: 'accept_item' | 'resolve_item', record: string): Promise<object> {
  const [row] = await database.query<{ item: object }>(`select to_jsonb($1::${type}) as item`, [record]);
  assert.ok(row);
  return row.item;
}

const transfers = [
  { code: 'purchase_margin', debit: 12n, credit: 33n, amount: 9_007_199_254_740_991n },
  { code: 'purchase_cost', debit: 14n, credit: 35n, amount: 9_500n },
] as const;
const transfersRead = [
  { code: 'purchase_margin', debit: 12, credit: 33, amount: 9_007_199_254_740_991 },
  { code: 'purchase_cost', debit: 14, credit: 35, amount: 9_500 },
];

const accept: AcceptItem = {
  id: '01a1fde3-bf58-7da4-871a-a34d1849a001',
  merchantId: 7,
  environment: 'live',
  reference: 'order (1), "two" \\ null',
  product: 'AIRTIME',
  network: 'MTN',
  planCode: 'MTN-1GB',
  msisdn: '0803 000 0001',
  recipient: '2348030000001',
  faceValue: 10_000n,
  charge: 9_700n,
  walletId: 12n,
  mode: 'async',
  route: ['vtpass', 'nomba'],
  details: { planCodes: { vtpass: { plan: 'mtn-1gb' } } },
  credentialId: 'ck_1',
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  refusal: { reason: 'customer_rejected', telcoMessage: 'no such meter' },
  attempt: { provider: 'vtpass', reference: 'R1' },
};

const acceptRead = {
  ordinal: 3,
  merchant_id: 7,
  environment: 'live',
  id: accept.id,
  reference: accept.reference,
  product: 'AIRTIME',
  network: 'MTN',
  plan_code: 'MTN-1GB',
  msisdn: '0803 000 0001',
  recipient: '2348030000001',
  face_value: 10_000,
  charge: 9_700,
  wallet_id: 12,
  mode: 'async',
  route: 'vtpass,nomba',
  details: { planCodes: { vtpass: { plan: 'mtn-1gb' } } },
  credential_id: 'ck_1',
  created_at: '2026-01-02T03:04:05.678+00:00',
  attempt_reference: 'R1',
  attempt_account: null,
  refusal: 'customer_rejected',
  telco_message: 'no such meter',
  delivery: null,
  voucher: null,
  capped: false,
};

test('a purchase', async () => {
  assert.deepEqual(await readBack('accept_item', toAcceptRecord(accept, 2)), acceptRead);
});

test('a purchase of a capped credential, at an account of its provider', async () => {
  const attempt = { provider: 'vtpass', account: '1f2e3d4c', reference: 'R1' };
  assert.deepEqual(await readBack('accept_item', toAcceptRecord({ ...accept, attempt, capped: true }, 2)), {
    ...acceptRead,
    attempt_account: '1f2e3d4c',
    capped: true,
  });
});

test('an order that a voucher pays, and that is sent to its customer', async () => {
  const [redeemId, settleId] = [
    '01a1fde3-bf58-7da4-871a-a34d1849a002',
    '01a1fde3-bf58-7da4-871a-a34d1849a003',
  ];
  const voucher = {
    id: '01a1fde3-bf58-7da4-871a-a34d1849a004',
    redeemId,
    settleId,
    transfers: transfers.slice(1),
  };
  const delivery = { channel: 'email', sealed: 'v1.abc', hint: 'a***@example.com' } as const;
  const { refusal: _, attempt: __, planCode: ___, details: ____, ...order } = accept;
  const none = { refusal: undefined, attempt: undefined, planCode: undefined, details: undefined };
  assert.deepEqual(
    await readBack('accept_item', toAcceptRecord({ ...order, ...none, delivery, voucher }, 0)),
    {
      ...acceptRead,
      ordinal: 1,
      plan_code: null,
      details: null,
      attempt_reference: null,
      refusal: null,
      telco_message: null,
      delivery,
      voucher: {
        id: voucher.id,
        redeem_id: redeemId,
        settle_id: settleId,
        transfers: [{ code: 'purchase_cost', debit: '14', credit: '35', amount: '9500' }],
      },
    },
  );
});

const answered = {
  merchantId: 7,
  environment: 'test',
  purchaseId: accept.id,
  walletId: 12n,
  network: 'GLO',
  attempt: 2,
  source: 'query',
  answer: {
    kind: 'success',
    code: '000',
    message: 'TRANSACTION SUCCESSFUL, {really}',
    provider: 'vtpass',
    providerId: 'P1',
    latencyMs: 12.6,
  },
} as const satisfies Omit<ResolveItem, 'effect'>;

const answerRead = {
  ordinal: 1,
  merchant_id: 7,
  environment: 'test',
  purchase_id: accept.id,
  network: 'GLO',
  attempt: 2,
  source: 'query',
  kind: 'success',
  code: '000',
  message: 'TRANSACTION SUCCESSFUL, {really}',
  provider: 'vtpass',
  provider_id: 'P1',
  latency_ms: 13,
  reason: null,
  telco_message: null,
  cost: null,
  goods: null,
  sealed: null,
  goods_missing: null,
  due_ms: null,
  flag: false,
  transfers: null,
  voucher: null,
};

const effects: readonly (readonly [ResolveItem['effect'], object])[] = [
  [
    {
      kind: 'succeed',
      telcoMessage: 'Token: 1234',
      cost: 9_500n,
      goods: { token: '1234-5678' },
      sealed: 'v1.xyz',
      goodsDueMs: 1_000.2,
      transfers,
    },
    {
      effect: 'succeed',
      reason: 'delivered',
      telco_message: 'Token: 1234',
      cost: 9_500,
      goods: { token: '1234-5678' },
      sealed: 'v1.xyz',
      goods_missing: true,
      due_ms: 1_001,
      transfers: transfersRead,
    },
  ],
  [
    {
      kind: 'fail',
      reason: 'refused',
      telcoMessage: undefined,
      voucher: { settleId: accept.id, transfers: transfers.slice(1) },
    },
    {
      effect: 'fail',
      reason: 'refused',
      voucher: {
        settle_id: accept.id,
        transfers: [{ code: 'purchase_cost', debit: '14', credit: '35', amount: '9500' }],
      },
    },
  ],
  [
    { kind: 'wait', dueMs: 4_999.5, flag: true },
    { effect: 'wait', due_ms: 5_000, flag: true },
  ],
  [
    { kind: 'retry', dueMs: 10, provider: 'nomba' },
    { effect: 'retry', due_ms: 10, reason: 'nomba' },
  ],
];

for (const [effect, read] of effects) {
  test(`a deciding answer: ${effect.kind}`, async () => {
    const record = toResolveRecord({ ...answered, effect }, 0);
    assert.deepEqual(await readBack('resolve_item', record), { ...answerRead, ...read });
  });
}
