/** Readers of a page: each has its own merchant, folder and history. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productNames } from '../../src/core/products/product.ts';
import { setFunding } from '../../src/funding/operations/set-funding.ts';
import { setProduct } from '../../src/merchants/operations/set-product.ts';
import { openShop, type Shop } from '../e2e/shop.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import type { Gateway } from '../support/gateway.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';
import type { Seen } from './same-answer.ts';

export type Reader = {
  readonly gateway: Gateway;
  /** In pages it is called DEMO. */
  readonly shop: Shop;
  /** The address that pages call `https://shop.example`. */
  readonly receiver: WebhookReceiver;
  readonly folder: string;
  readonly seen: Seen;
};

const actor = 'test';

/** The merchant has as much in both wallets as the demo's merchant, and every product. */
export async function openReader(gateway: Gateway, receiver: WebhookReceiver): Promise<Reader> {
  const shop = await openShop(gateway, { balance: 1_000_000_000n });
  await enableAll(gateway, shop.code);
  const folder = await mkdtemp(join(tmpdir(), 'oja-reader-'));
  cleanUpAfter(folder);
  await writeFile(join(folder, 'id.pdf'), '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n');
  return { gateway, shop, receiver, folder, seen: new Map() };
}

async function enableAll({ database }: Gateway, merchantCode: string): Promise<void> {
  await database.transaction(async (tx) => {
    for (const product of productNames) {
      await setProduct(tx, { merchantCode, environment: 'test', product, enabled: true }, actor);
    }
    await setFunding(tx, { merchantCode, environment: 'test', currency: 'NGN', enabled: true }, actor);
  });
}
