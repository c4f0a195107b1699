/** The merchant of a simulation: besides its wallet, a funding account and an endpoint. */
import type { Sql } from '../../src/db/database.ts';
import { createAddressGuard } from '../../src/notifications/webhooks/address-guard.ts';
import { createEndpoint } from '../../src/notifications/webhooks/change-endpoint.ts';
import type { Buyer } from '../purchases/fixture.ts';
import type { Installation } from './installation.ts';
import { bankName } from './scripted-bank.ts';

/** The number of its account at the bank. */
export function accountOf({ merchantId }: Buyer): string {
  return `${9_000_000_000 + merchantId}`;
}

export async function openMerchant({ server, sealer }: Installation, buyer: Buyer): Promise<void> {
  const { merchantId, environment, walletId } = buyer;
  const rules = { guard: createAddressGuard({ allowed: [], allowsLoopback: true }), isRelaxed: true };
  await server.database.transaction(async (tx) => {
    await tx.query(
      `insert into funding_accounts (
         merchant_id, environment, currency, wallet_id, provider, reference, status, account_number, account_name,
         bank_name, active_at
       )
       values ($1, $2, 'NGN', $3, $4, $5, 'active', $5, 'Buyer', 'Harbour', now())`,
      [merchantId, environment, walletId, bankName, accountOf(buyer)],
    );
    const owner = { merchantId, merchantCode: `BUYER-${merchantId}`, environment };
    await createEndpoint(tx, { sealer, rules }, owner, { url: 'http://127.0.0.1/' }, 'buyer');
  });
}

/** The next seed does not use it. */
export async function closeMerchant(sql: Sql, { merchantId }: Buyer): Promise<void> {
  await sql.query(`update funding_accounts set status = 'refused' where merchant_id = $1`, [merchantId]);
  await sql.query(
    `update webhook_endpoints
     set state = 'disabled', due_at = null
     where merchant_id = $1`,
    [merchantId],
  );
}
