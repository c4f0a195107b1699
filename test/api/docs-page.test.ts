/** The page of the OpenAPI document loads nothing from other hosts, and stores no live secret. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { buildEdge } from './harness.ts';

type Media = { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> };
type Operation = { readonly requestBody?: { readonly content: Readonly<Record<string, Media>> } };

const edge = await buildEdge();
after(() => edge.app.close());
const document = (await edge.app.inject({ url: '/openapi.json' })).json();

test('the page loads only files of this server, and shows the served document', async () => {
  for (const url of ['/docs', '/docs/']) {
    const page = await edge.app.inject({ url });
    assert.equal(page.statusCode, 200);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'.*connect-src 'self'/);
    assert.doesNotMatch(policy, /https?:|\*/);
    assert.doesNotMatch(page.body, /(?:src|href)="(?:https?:)?\/\//);
    assert.doesNotMatch(page.body, /<script>|<script [^>]*>[^<\s]/, 'a script within the page');
    const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    assert.ok(links.length >= 6);
    for (const link of links) {
      const path = new URL(link, `http://x${url}`).pathname;
      assert.match(path, /^\/docs\//);
      const asset = await edge.app.inject({ url: path });
      assert.equal(asset.statusCode, 200, link);
      if (path.endsWith('.css')) assert.doesNotMatch(asset.body, /url\(\s*['"]?https?:|@import/, link);
    }
  }
  const start = await edge.app.inject({ url: '/docs/static/swagger-initializer.js' });
  assert.ok(start.body.includes("url: resolveUrl('./json')"));
  const described = await edge.app.inject({ url: '/docs/json' });
  assert.deepEqual(described.json(), document);
});

/** Starts the page as a browser does. `stored` is its local storage. */
async function startPage(stored: Map<string, string> = new Map()) {
  const start = await edge.app.inject({ url: '/docs/static/swagger-initializer.js' });
  // biome-ignore lint/suspicious/noExplicitAny: the page's settings are looked into by name
  let config: any;
  const bundle = Object.assign(
    (given: unknown) => {
      config = given;
      return { initOAuth: () => undefined };
    },
    { presets: {}, plugins: {} },
  );
  const window = { location: { href: 'http://gateway/docs' }, onload: () => undefined };
  runInNewContext(`${start.body};window.onload()`, {
    window,
    SwaggerUIBundle: bundle,
    SwaggerUIStandalonePreset: {},
    document: { createElement: () => ({}) },
    localStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
    },
  });
  return config;
}

test('/docs sends an example with a fresh reference each time, and anything else unchanged', async () => {
  const { requestInterceptor } = await startPage();
  const keys = ['request_ref', 'client_request_id', 'request_id'];
  let examples = 0;
  const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  for (const { path, method, operation } of operations) {
    const media = Object.values(operation.requestBody?.content ?? {});
    for (const { value } of media.flatMap(({ examples = {} }) => Object.values(examples))) {
      const body = value as Record<string, string>;
      const key = keys.find((one) => one in body);
      if (key === undefined) continue;
      examples += 1;
      const sendWith = (sent: unknown) =>
        requestInterceptor({ method: method.toUpperCase(), url: path, body: JSON.stringify(sent) });
      const sent = [sendWith(body), sendWith(body)].map((request) => JSON.parse(request.body));
      for (const one of sent) {
        assert.match(one[key], /^[a-z]+-try-[a-z0-9]+-[a-z0-9]+$/, path);
        assert.ok(one[key].length <= 40);
        assert.deepEqual({ ...one, [key]: '' }, { ...body, [key]: '' });
      }
      assert.notEqual(sent[0][key], sent[1][key]);
      const query = { method: 'GET', url: `/v1/transactions/status?request_ref=${body[key]}` };
      assert.ok(requestInterceptor(query).url.endsWith(`=${sent[1][key]}`));
      const own = { ...body, [key]: 'my-own-1' };
      assert.deepEqual(JSON.parse(sendWith(own).body), own);
    }
  }
  assert.ok(examples >= 15, `${examples} examples have a reference`);
  const other = { method: 'POST', url: '/v1/x', body: 'no JSON: order-20261121-0001' };
  assert.deepEqual(requestInterceptor({ ...other }), other);
});

test('/docs keeps credentials, but no secret of live ones', async () => {
  const stored = new Map<string, string>();
  const config = await startPage(stored);
  assert.equal(config.persistAuthorization, true);
  const [plugin] = config.plugins;
  const { persistAuthorizationIfNeeded: wrap } = plugin().statePlugins.auth.wrapActions;
  const merchantSecret = { value: 's' };
  for (const [key, kept] of [
    ['oja_test_a', { merchantKey: { value: 'oja_test_a' }, merchantSecret }],
    ['oja_live_a', { merchantKey: { value: 'oja_live_a' } }],
    [undefined, {}],
  ] as const) {
    const whole = { ...(key && { merchantKey: { value: key } }), merchantSecret };
    wrap(() => stored.set('authorized', JSON.stringify(whole)))();
    assert.deepEqual(JSON.parse(stored.get('authorized') ?? ''), kept);
  }
});
