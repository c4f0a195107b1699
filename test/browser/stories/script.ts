/**
 * Scripts in every text that a merchant, customer, provider or colleague can write, on every screen
 * that shows it; and a page of another site that is open beside the console.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { openPage, settle, visit } from '../browser.ts';
import { type Console, send } from '../fixture.ts';

/** It marks the window if any of it is executed. */
const evil = `"'><img src=x onerror="window.hit=1"><script>window.hit=1</script>`;

export function scriptStories(open: () => Console): void {
  it('runs no script that somebody wrote into a text, wherever it is shown', async () => {
    const it_ = open();
    await plant(it_);
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    const shown = new Map<string, number>();
    for (const path of [
      '/merchants',
      '/merchants/EVIL',
      ...['statement', 'credentials', 'funding', 'webhooks', 'people', 'done'].map(
        (tab) => `/merchants/EVIL?tab=${tab}`,
      ),
      '/webhooks',
      '/team',
      '/audit-log',
      '/work',
      '/money',
      `/purchases/${it_.sold.success}`,
      `/purchases/${it_.sold.pending}`,
      '/purchases',
      `/purchases?find=${encodeURIComponent(evil)}`,
      `/purchases/${encodeURIComponent(evil)}`,
      `/merchants/${encodeURIComponent(evil)}`,
      `/merchants/EVIL?tab=${encodeURIComponent(evil)}`,
      `/purchases?merchant=${encodeURIComponent(evil)}`,
      `/sign-in?back=${encodeURIComponent(`/${evil}`)}`,
      `/${encodeURIComponent(evil)}`,
    ]) {
      await visit(page, path);
      assert.equal(await page.evaluate('window.hit ?? 0'), 0, path);
      assert.equal(await page.locator('img[src="x"]').count(), 0, path);
      shown.set(path, ((await page.locator('body').textContent()) ?? '').split('<img').length - 1);
      // The content policy had to block neither.
      assert.deepEqual(take(), [], path);
    }
    // It was on the screens, as plain text.
    for (const path of ['/merchants', '/merchants/EVIL?tab=statement', '/team', '/work', '/money']) {
      assert.ok((shown.get(path) ?? 0) > 0, `${path} shows the text`);
    }
    assert.ok((shown.get(`/purchases/${it_.sold.success}`) ?? 0) > 0, 'what a provider says is shown');
  });

  it('does nothing for a page of another site, although the browser is signed in', async () => {
    const it_ = open();
    await using person = await it_.person('lured@shop.example', 'admin');
    await using site = await openEvilSite(it_.url);
    const { page } = await openPage(person.context);
    await page.goto('/overview');
    await settle(page);
    const evilPage = await person.context.newPage();
    await evilPage.goto(site.url);
    await evilPage.getByText('all tried').waitFor();
    const tried = JSON.parse((await evilPage.locator('pre').textContent()) ?? '') as Record<string, string>;
    // Nothing could be read, and the frame stayed empty.
    assert.deepEqual(tried, { read: 'refused', sent: 'refused', framed: 'nothing', script: 'refused' });
    const told = await send(page, '/api/operations/merchant.list', { limit: 200 });
    assert.equal(told.status, 200, 'the session was not ended');
    assert.ok(!JSON.stringify(told.body).includes('CSRF'), 'no merchant was made');
  });
}

async function plant({ run, gateway }: Console): Promise<void> {
  await run('merchant.create', { code: 'EVIL', name: evil });
  const wallet = { merchant: 'EVIL', environment: 'live', amount: '10', key: 'evil-1' };
  await run('wallet.credit', { ...wallet, memo: evil });
  await run('user.invite', { email: 'evil@shop.example', name: evil, roles: ['viewer'], link: true });
  await run('team.invite', {
    merchant: 'EVIL',
    email: 'evil@x.example',
    name: evil,
    roles: ['owner'],
    link: true,
  });
  const endpoint = {
    merchant: 'EVIL',
    environment: 'live',
    url: `https://evil.example/?x=${encodeURIComponent(evil)}`,
  };
  await run('webhook.create', { ...endpoint, description: evil });
  // Hostile texts that providers, banks and earlier versions may have left in the rows.
  const { database } = gateway;
  await database.query('alter table purchase_outcomes disable trigger user');
  await database.query(
    `update purchase_outcomes
     set answer_message = $1, answer_code = $1
     where answer_kind is not null`,
    [evil],
  );
  await database.query('alter table purchase_outcomes enable trigger user');
  await database.query(
    `insert into deposits
       (id, provider, provider_reference, environment, currency, paid_to, gross, fee, settled, paid_at)
     values (gen_random_uuid(), 'monnify', $1, 'live', 'NGN', $1, 100, 0, 100, now())`,
    [evil],
  );
  await database.query(`insert into alarms (kind, message) values ('quarantined', $1)`, [evil]);
}

/** On another port of the same host. Cookies ignore ports, so this is the closest case. */
async function openEvilSite(url: string): Promise<AsyncDisposable & { readonly url: string }> {
  const target = JSON.stringify(url);
  const html = `<!doctype html><title>evil</title><pre></pre><iframe name="sink"></iframe>
    <form method="post" enctype="text/plain" target="sink" action=${JSON.stringify(`${url}/api/operations/merchant.create`)}>
      <input name='{"code":"CSRF1","name":"' value='x"}'></form>
    <script>(async () => {
      const tried = {};
      const made = JSON.stringify({ code: 'CSRF2', name: 'x' });
      tried.read = await fetch(${target} + '/api/session', { credentials: 'include' }).then(() => 'read', () => 'refused');
      const blind = { method: 'POST', mode: 'no-cors', credentials: 'include' };
      const sent = await Promise.all([
        fetch(${target} + '/api/sign-out', { ...blind, body: '{}' }),
        fetch(${target} + '/api/sessions/end', { ...blind, body: '{}' }),
        fetch(${target} + '/api/operations/merchant.create', { ...blind, body: made }),
        fetch(${target} + '/api/operations/merchant.create',
          { ...blind, body: new Blob([made], { type: 'text/plain' }) }),
      ]).then(() => 'read', () => 'refused');
      tried.sent = sent;
      document.forms[0].submit();
      const frame = document.createElement('iframe');
      const loaded = new Promise((resolve) => { frame.onload = resolve; });
      frame.src = ${target} + '/overview';
      document.body.append(frame);
      await loaded;
      tried.framed = (() => { try { return frame.contentDocument === null ? 'nothing' : 'document'; } catch { return 'nothing'; } })();
      tried.script = await new Promise((resolve) => {
        const script = document.createElement('script');
        script.src = ${target} + '/api/csv/merchant.list';
        script.onload = () => resolve('read');
        script.onerror = () => resolve('refused');
        document.body.append(script);
      });
      document.querySelector('pre').textContent = JSON.stringify(tried);
      document.body.append('all tried');
    })();</script>`;
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
