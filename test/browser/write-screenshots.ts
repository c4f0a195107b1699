/**
 * Writes a picture of each screen into `docs/screens`, from its own demo: `npm run screenshots`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { portalScreens } from '../../console/src/portal-screens.ts';
import { screens } from '../../console/src/screens.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { launch, settle, sizes } from './browser.ts';
import { addresses } from './fixture.ts';
import { names } from './names.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screens');

await using gateway = await startGateway({
  databaseUrl: 'embedded',
  settings: { OJA_DEMO_HISTORY: 'small' },
});
const { url, link } = addresses(gateway.output(), 'Console');
const sold = await sell(gateway);
await using browser = await launch();
await mkdir(folder, { recursive: true });

await takeConsole();
await takePortal();

async function takeConsole(): Promise<void> {
  const page = await openAt(url, link, /overview/);
  const named: Readonly<Record<string, string>> = {
    $reference: sold,
    $merchant: 'DEMO',
    $provider: 'vtpass',
  };
  for (const [name, { path }] of Object.entries(screens)) {
    const address = path.replaceAll(/\$\w+/g, (part) => named[part] ?? part);
    // Data that the demo lacks.
    if (address.includes('$')) continue;
    await page.goto(address);
    await take(page, name);
  }
  await page.goto(`/purchases/${sold}`);
  await takeOthers(page, 'purchase');
}

async function takePortal(): Promise<void> {
  const portal = addresses(gateway.output(), 'Portal');
  const page = await openAt(portal.url, portal.link, /balance/);
  const body = { url: 'http://127.0.0.1:3000/webhooks', description: 'The shop' };
  const endpoint = await gateway.call('POST', '/v1/webhooks/endpoints', { as: 'live', body });
  const named: Readonly<Record<string, string>> = { $reference: sold, $endpoint: endpoint.body.data.id };
  for (const [name, { path }] of Object.entries(portalScreens)) {
    await page.goto(path.replaceAll(/\$\w+/g, (part) => named[part] ?? part));
    if (name === 'tryIt') await tryOne(page);
    await take(page, `portal-${name}`);
  }
  await page.goto('/balance');
  await takeOthers(page, 'portal-balance');
}

async function tryOne(page: Page): Promise<void> {
  await page.getByRole('button', { name: names.buttons.makeATestKey }).click();
  await page.getByRole('button', { name: names.buttons.buy, exact: true }).click();
  await page.getByText(names.said.theApiAnswered).waitFor();
}

async function openAt(baseURL: string, signIn: string, first: RegExp): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport: sizes.large });
  const page = await context.newPage();
  await page.goto(signIn);
  await page.waitForURL(first);
  return page;
}

/** The same screen in dark mode, and on a phone. */
async function takeOthers(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(page, `${name}-dark`);
  await page.setViewportSize(sizes.small);
  await take(page, `${name}-small`);
}

async function take(page: Page, name: string): Promise<void> {
  const fileName = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  await settle(page);
  // Further lists of a screen load a moment later.
  await page.waitForLoadState('load');
  await page.screenshot({ path: join(folder, `${fileName}.png`) });
  console.log(`docs/screens/${fileName}.png`);
}

/** Some purchases of either kind. Returns the one whose timeline is shown. */
async function sell(shop: Gateway): Promise<string> {
  const networks = ['mtn', 'glo', 'airtel', '9mobile'];
  let shown = '';
  for (const [index, network] of [...networks, ...networks, ...networks].entries()) {
    const body = {
      merchant: shop.credentials.merchant,
      msisdn: `080312345${String(index + 10)}`,
      network,
      amount: String((index + 1) * 50),
      request_ref: `till-${8640 + index}`,
    };
    const answer = await shop.call('POST', '/v1/transactions/airtime/sync', { as: 'live', body });
    shown = answer.body?.data?.internal_reference ?? shown;
  }
  return shown;
}
