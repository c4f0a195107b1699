/**
 * The package as a merchant gets it: packed, installed into an empty folder, and run against a
 * gateway whose answers get lost; and every example of its README, unchanged.
 */
import assert from 'node:assert/strict';
import { type ExecFileException, execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { operations } from '../../sdk/src/generated/api.ts';
import { type Fetch, Oja } from '../../sdk/src/index.ts';
import { newNumber, newReference, openGatewayUnderTest } from '../e2e/gateway-under-test.ts';
import { callEveryMethod } from '../sdk/every-method.ts';
import { readBooks } from '../support/books.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';

const root = join(import.meta.dirname, '..', '..');
const gateway = await openGatewayUnderTest();
const folder = await mkdtemp(join(tmpdir(), 'oja-client-'));
cleanUpAfter(folder);

type Ran = { readonly code: number; readonly out: string };

async function run(program: string, args: readonly string[], cwd: string, variables = {}): Promise<Ran> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...variables };
  return await promisify(execFile)(program, [...args], { cwd, env }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout, stderr }: ExecFileException) => ({ code: Number(code), out: `${stdout}${stderr}` }),
  );
}

async function ran(...of: Parameters<typeof run>): Promise<string> {
  const { code, out } = await run(...of);
  assert.equal(code, 0, out);
  return out;
}

before(async () => {
  await ran('npm', ['pack', '--pack-destination', folder], join(root, 'sdk'));
  const [archive = ''] = await readdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const flags = ['--offline', '--no-audit', '--no-fund'];
  await ran('npm', ['install', ...flags, `./${archive}`], folder);
});

describe('the package', () => {
  const installed = join(folder, 'node_modules', 'oja-client');

  it('contains everything the package needs and nothing else', async () => {
    const files = await readdir(installed, { recursive: true });
    for (const file of [
      'dist/index.js',
      'dist/index.d.ts',
      'dist/fake/index.js',
      'README.md',
      'package.json',
    ]) {
      assert.ok(files.includes(file), file);
    }
    assert.deepEqual(
      files.filter((file) => /(?<!\.d)\.ts$|^test|methods/.test(file) && !file.startsWith('dist/methods')),
      [],
    );
    const others = await readdir(join(folder, 'node_modules'));
    assert.deepEqual(
      others.filter((name) => !name.startsWith('.')),
      ['oja-client'],
    );
  });

  it('the package uses nothing specific to Node.js', async () => {
    const files = (await readdir(installed, { recursive: true })).filter((file) => file.endsWith('.js'));
    assert.ok(files.length > 20);
    for (const file of files) {
      const text = await readFile(join(installed, file), 'utf8');
      assert.doesNotMatch(
        text,
        /['"]node:|\brequire\(|\bBuffer\b|\bprocess\.(?!versions)|__dirname|\.ts['"]/,
        file,
      );
    }
  });
});

/** What happens to a purchase on its way. */
type Trouble = 'answer lost' | 'request lost' | 'page of a proxy' | 'answer cut' | 'arrives late';

/** A proxy between the buyer and the gateway, which disturbs the first purchase. */
async function openProxy(trouble: Trouble): Promise<{ url: string; sends: () => number } & AsyncDisposable> {
  let sends = 0;
  /** Lets the first purchase through. */
  let arriveLate: (() => Promise<unknown>) | undefined;
  const server = createServer((request, response) => {
    const isFirst = request.method === 'POST' && ++sends === 1;
    void pass(request, response, isFirst).catch(() => response.destroy());
  });
  const pass = async (
    request: IncomingMessage,
    response: ServerResponse,
    isFirst: boolean,
  ): Promise<void> => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const forward = async (): Promise<{ status: number; text: string }> => {
      const { key, secret } = gateway.credentials.live;
      const answer = await fetch(`${gateway.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    if (isFirst && trouble === 'request lost') return void response.destroy();
    if (isFirst && trouble === 'arrives late') {
      arriveLate = forward;
      return void response.destroy();
    }
    // The buyer has queried by now, and got 404.
    if (request.method === 'POST') await arriveLate?.();
    const { status, text } = await forward();
    if (isFirst && trouble === 'answer lost') return void response.destroy();
    if (isFirst && trouble === 'page of a proxy') {
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    }
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    if (!isFirst || trouble !== 'answer cut') return void response.end(text);
    response.write(text.slice(0, 40), () => response.destroy());
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sends: () => sends,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const buyer = `
import { Oja } from 'oja-client';
const { OJA_URL, MSISDN, REFERENCE } = process.env;
const oja = new Oja({ key: 'oja_live_proxy', secret: 'the-proxy-has-it', merchant: 'DEMO', baseUrl: OJA_URL });
const order = { msisdn: MSISDN, network: 'mtn', amount: '100.00', request_ref: REFERENCE };
const { status, data } = await oja.airtime.buySync(order);
console.log(JSON.stringify({ status, reference: data.request_id, runtime: process.version }));
`;

describe('a buyer in an empty folder', { concurrency: true }, () => {
  let node = process.execPath;

  before(async () => {
    await writeFile(join(folder, 'buyer.js'), buyer);
    // The oldest version that the package supports, if the machine has it.
    const path = process.env.PATH?.split(':').filter((part) => !part.includes('node_modules'));
    const { code, out } = await run('/bin/sh', ['-c', 'command -v node'], folder, { PATH: path?.join(':') });
    if (code === 0) node = out.trim();
  });

  const expected = {
    'answer lost': 1,
    'page of a proxy': 1,
    'answer cut': 1,
    'request lost': 2,
    'arrives late': 2,
  } as const satisfies Record<Trouble, number>;

  for (const [runtime, args] of [
    ['deno', ['run', '--allow-net', '--allow-env']],
    ['bun', ['run']],
  ] as const) {
    it(`buys once in ${runtime}, if it is installed`, async (t) => {
      const { code } = await run(runtime, ['--version'], folder);
      if (code !== 0) return t.skip(`there is no ${runtime} here`);
      await using proxy = await openProxy('answer lost');
      const [MSISDN, REFERENCE] = [newNumber(), newReference()];
      const out = await ran(runtime, [...args, 'buyer.js'], folder, {
        OJA_URL: proxy.url,
        MSISDN,
        REFERENCE,
      });
      assert.equal(JSON.parse(out).reference, REFERENCE);
      assert.equal(proxy.sends(), 1);
    });
  }

  for (const [trouble, sends] of Object.entries(expected) as [Trouble, number][]) {
    it(`buys once when ${trouble.includes('arrives') ? 'it' : 'there is'} ${trouble}`, async (t) => {
      await using proxy = await openProxy(trouble);
      const [MSISDN, REFERENCE] = [newNumber(), newReference()];
      const out = await ran(node, ['buyer.js'], folder, { OJA_URL: proxy.url, MSISDN, REFERENCE });
      const { status, reference, runtime } = JSON.parse(out);
      t.diagnostic(`by Node.js ${runtime}`);
      assert.ok(status === 'success' || status === 'pending', out);
      assert.equal(reference, REFERENCE);
      assert.equal(proxy.sends(), sends);
      const answer = await gateway.call('GET', `/v1/transactions?msisdn=${MSISDN}`, { as: 'live' });
      assert.deepEqual(
        answer.body.result.items.map((row: { request_id: string }) => row.request_id),
        [REFERENCE],
      );
      const delivered = (await readBooks(gateway.simulatorUrl)).filter(({ recipient }) =>
        recipient.endsWith(MSISDN.slice(1)),
      );
      assert.equal(delivered.length, 1);
    });
  }
});

describe('the sources of the package', () => {
  it('calls every operation of the gateway except the redeeming of vouchers', async () => {
    const { credentials, url } = gateway;
    const answered = await callEveryMethod({
      ...credentials.test,
      merchant: credentials.merchant,
      baseUrl: url,
    });
    assert.deepEqual(
      Object.keys(operations).filter((operation) => !answered.has(operation)),
      ['redeemVoucher'],
    );
  });

  it('finds an order whose answer is lost, and does not order twice', async () => {
    const { credentials, url } = gateway;
    let orders = 0;
    const losing: Fetch = async (address, init) => {
      const answer = await fetch(address, init);
      if (init.method !== 'POST') return answer;
      orders += 1;
      throw new TypeError('fetch failed');
    };
    const oja = new Oja({ ...credentials.test, merchant: credentials.merchant, baseUrl: url, fetch: losing });
    const [card] = (await oja.giftCards.catalog({ currency: 'USD' })).data.filter((one) => one.fixed_price);
    const [esim] = (await oja.esims.catalog()).data;
    assert.ok(card && esim);
    const request_id = newReference();
    const ordered = await oja.giftCards.order({ plan_id: card.plan_id, request_id });
    assert.equal(ordered.data.request_id, request_id);
    await oja.esims.order({ plan_id: esim.plan_id.toLowerCase() });
    assert.equal(orders, 2);
  });
});

describe('the README', () => {
  const examples = new Map<string, string>();
  const project = join(folder, 'readme');

  before(async () => {
    const text = await readFile(join(root, 'sdk', 'README.md'), 'utf8');
    for (const [, name = '', code = ''] of text.matchAll(/^```ts (\S+)\n(.*?)^```$/gms))
      examples.set(name, code);
    await ran('mkdir', [project], folder);
    for (const [name, code] of examples) await writeFile(join(project, name), code);
    await symlink(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
    await symlink(join(root, 'node_modules', 'undici-types'), join(folder, 'node_modules', 'undici-types'));
  });

  it('examples of about ten lines have valid types', async () => {
    for (const [name, code] of examples) assert.ok(code.split('\n').length <= 16, name);
    const options = {
      module: 'nodenext',
      target: 'es2024',
      lib: ['esnext'],
      types: ['node'],
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: false,
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    await ran(join(root, 'node_modules', '.bin', 'tsc'), ['-p', project], project);
  });

  const expected: Readonly<Record<string, RegExp>> = {
    'oja.ts': /^$/,
    'buy.ts': /^success order-1\n$/,
    'resume.ts': /^success\n$/,
    'electricity.ts': /^\S.* \d{20} [\d.]+\n$/,
    'wait.ts': /^success Transaction successful\n$/,
    'errors.ts': /^\[ 'msisdn' \]\n$/,
    'list.ts': /^[1-9]\d* [1-9]\d*\n$/,
    'feed.ts': /^([a-z]+\.[a-z]+ evt_[0-9a-f]{32}\n)+$/,
    'clock.ts': /^36 success\n$/,
    'test.ts': /^success 1 900\.00\n$/,
  };

  for (const [name, output] of Object.entries(expected)) {
    it(`${name} works as documented`, async () => {
      const { key, secret } = gateway.credentials.test;
      const variables = { OJA_URL: gateway.url, OJA_KEY: key, OJA_SECRET: secret };
      assert.match(await ran(process.execPath, [name], project, variables), output);
    });
  }

  it('webhook.ts accepts signed events only', async () => {
    const { takeWebhook } = (await import(pathToFileURL(join(project, 'webhook.ts')).href)) as {
      takeWebhook: (request: Request) => Promise<Response>;
    };
    const secret = `whsec_${btoa('0'.repeat(32))}`;
    process.env.OJA_WEBHOOK_SECRET = secret;
    after(() => delete process.env.OJA_WEBHOOK_SECRET);
    const body = '{"id":"evt_1","type":"wallet.low","created_at":"","data":{}}';
    const post = (signature: string): Promise<Response> => {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': timestamp,
        'webhook-signature': signature,
      };
      return takeWebhook(new Request('http://shop.example', { method: 'POST', body, headers }));
    };
    assert.equal((await post(new Webhook(secret).sign('evt_1', new Date(), body))).status, 200);
    const wrong = await post('v1,AAAA');
    assert.deepEqual([wrong.status, await wrong.text()], [400, 'wrong_signature']);
  });

  it('runs every example', () => {
    assert.deepEqual([...examples.keys()].sort(), [...Object.keys(expected), 'webhook.ts'].sort());
  });
});
