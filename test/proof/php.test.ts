/**
 * The client for PHP (sdk/php) against a gateway: it buys once despite lost answers, reports
 * refusals, receives webhooks, and reveals no secret.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { eventually, newReference, openGatewayUnderTest, statusOf } from '../e2e/gateway-under-test.ts';
import {
  afterwards,
  hang,
  loseAnswer,
  loseRequest,
  openLyingProxy,
  refuse,
  say,
  stillPending,
  usedBefore,
} from '../sdk/lying-proxy.ts';
import { ask, phpFolder, runPhp, servePhp, whyNoPhp } from '../sdk/run-php.ts';
import { readDocument } from '../support/api-document.ts';
import { readBooks, readLivePurchases } from '../support/books.ts';
import { freePort } from '../support/processes.ts';

const skip = whyNoPhp();
const gateway = skip === false ? await openGatewayUnderTest() : undefined;
const gatewayHere = () => gateway ?? assert.fail('no gateway');
const proxy = await openLyingProxy(gateway?.url ?? '');
after(() => proxy[Symbol.asyncDispose]());
beforeEach(() => proxy.reset());

const create = /^POST \/v1\/transactions/;
const status = /^GET \/v1\/transactions\/status/;
const purchase = (reference: string, fields = ''): string =>
  `['request_ref' => '${reference}', 'msisdn' => '08031234567', 'network' => 'mtn', 'amount' => '100.00', ${fields}]`;

function variables(as: 'test' | 'live' = 'test', url = proxy.url): Record<string, string> {
  const pair = gateway?.credentials[as];
  return { OJA_URL: url, OJA_KEY: pair?.key ?? '', OJA_SECRET: pair?.secret ?? '', OJA_MERCHANT: 'DEMO' };
}

function sent(matching: RegExp): number {
  return proxy.requests.filter((request) => matching.test(request)).length;
}

/** The deliveries for a reference in the provider's own books. */
async function timesDelivered(reference: string): Promise<number> {
  const { database, simulatorUrl } = gatewayHere();
  const purchases = (await readLivePurchases(database)).filter(
    (purchase) => purchase.reference === reference,
  );
  const attempts = purchases.flatMap((purchase) => purchase.attempts);
  return (await readBooks(simulatorUrl)).filter((delivery) => attempts.includes(delivery.reference)).length;
}

describe('the client for PHP', { skip }, () => {
  it('buys each product, and finds what it bought', async () => {
    const { answer } = await ask(
      `$airtime = $oja->airtime->buySync(['msisdn' => '08031234567', 'network' => 'mtn', 'amount' => '100']);
       $plan = $oja->plans->data('mtn')['data'][0];
       $data = $oja->data->buySync(['msisdn' => '08031234567', 'network' => 'mtn', 'plan_code' => $plan['plan_code'], 'amount' => $plan['price']]);
       $bills = $oja->plans->bills('electricity', ['network' => 'Ikeja Electric'])['data'];
       $meter = ['product' => 'ELECTRICITY', 'network' => 'Ikeja Electric', 'msisdn' => '10000000001', 'plan_code' => (string) $bills[0]['id']];
       $card = $oja->giftCards->catalog(['brand' => 'Amazon'])['data'][0];
       $quote = $oja->giftCards->quote(300002);
       $esim = $oja->esims->catalog(['country' => 'NG'])['data'][0];
       $patient = Oja\\Client::fromEnvironment();
       $order = $patient->purchases->waitUntilFinal($patient->esims->order(['plan_id' => $esim['plan_id']]));
       return [
         'airtime' => $told($airtime), 'data' => $data->state, 'again' => $oja->purchases->status($airtime->reference)->state,
         'customer' => $oja->purchases->verify($meter)['result']['customer_name'],
         'token' => $oja->purchases->create($meter + ['amount' => '1000.00'])->data['token'],
         'quote' => $quote['data']['ngn_price'],
         'cards' => count($oja->giftCards->order(['plan_id' => 300002])->data['cards']), 'brand' => $card['brand'],
         'iccid' => $order->data['iccid'] ?? null, 'picture' => strlen($oja->esims->qrCode($order->reference)),
         'byStatus' => $oja->purchases->waitUntilFinal($order->reference)->state,
         'balance' => $oja->wallet->balance()['result']['available'], 'health' => $oja->health->get()['status'] ?? $oja->health->get(),
       ];`,
      variables(),
    );
    assert.equal(answer.airtime?.state, 'success', JSON.stringify(answer).slice(0, 500));
    assert.match(
      answer.airtime.reference,
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    assert.equal(answer.airtime.data.request_id, answer.airtime.reference);
    assert.deepEqual([answer.data, answer.again, answer.byStatus], ['success', 'success', 'success']);
    assert.match(answer.token, /\d/);
    assert.ok(answer.customer !== '' && answer.cards === 1 && answer.picture > 100, JSON.stringify(answer));
    assert.match(answer.iccid, /^\d+$/);
    assert.match(answer.balance, /^\d+\.\d\d$/);
  });

  it('has every operation of the API by name, with the method and path of the document', async () => {
    const methods: Record<string, string> = JSON.parse(
      readFileSync(join(phpFolder, '..', 'methods.json'), 'utf8'),
    );
    const { answer } = await ask(
      `$recorder = new class implements Oja\\Http\\Transport {
         public array $seen = [];
         public function send(Oja\\Http\\Request $request): Oja\\Http\\Answer {
           $this->seen[] = $request->method . ' ' . explode('?', $request->path)[0];
           return new Oja\\Http\\Answer(401, [], '{"status":"error","code":401,"message":"no"}');
         }
       };
       $oja = Oja\\Client::fromEnvironment([], $recorder, $clock);
       $seen = [];
       foreach (json_decode(getenv('METHODS'), true) as $operation => $name) {
         [$part, $method] = explode('.', $name);
         $arguments = array_map(static fn ($parameter) => match ((string) $parameter->getType()) {
           'string' => 'ARG', 'int' => 1, default => [],
         }, array_filter((new ReflectionMethod($oja->$part, $method))->getParameters(), static fn ($one) => !$one->isOptional()));
         try {
           $made = $oja->$part->$method(...$arguments);
           if ($made instanceof Generator) { $made->current(); }
         } catch (Oja\\Exception\\OjaException) {
         }
         $seen[$operation] = end($recorder->seen);
       }
       return $seen;`,
      { ...variables(), METHODS: JSON.stringify(methods) },
    );
    const page = readFileSync(join(phpFolder, '..', '..', 'docs', 'merchants', 'php.md'), 'utf8');
    for (const name of Object.values(methods)) {
      assert.ok(page.includes(`\`$oja->${name.replace('.', '->')}(`), `docs/merchants/php.md: ${name}`);
    }
    const operations = Object.entries((await readDocument()).paths).flatMap(([path, found]) =>
      Object.entries(found).map(([method, operation]) => [
        'operationId' in operation ? String(operation.operationId) : '',
        `${method.toUpperCase()} ${path}`,
      ]),
    );
    for (const [operationId = '', wanted = ''] of operations) {
      const plain = wanted.replaceAll(/\{[^}]*\}/g, 'ARG');
      assert.equal(String(answer[operationId]).replace('/plans/1/', '/plans/ARG/'), plain, operationId);
    }
  });

  it('buys once when the answer is lost, late, truncated, or a 500', async () => {
    const lies = {
      lost: loseAnswer,
      late: hang,
      page: afterwards(say(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' })),
      // From a proxy, not from the gateway: the purchase may have been made.
      unavailable: afterwards(say(503, 'upstream reset', { 'content-type': 'text/plain' })),
      fault: afterwards(refuse(500)),
      cut: afterwards(say(200, '{"status":"succ')),
      large: afterwards(say(200, 'x'.repeat(11_000_000))),
    };
    for (const [name, lie] of Object.entries(lies)) {
      proxy.reset();
      proxy.play(create, lie);
      const reference = `php-${name}-${newReference()}`;
      const options = name === 'late' ? "['timeout' => 3]" : '[]';
      const { answer } = await ask(
        `return $oja->airtime->buySync(${purchase(reference)});`,
        variables('live'),
        options,
      );
      assert.deepEqual(
        [answer.state, answer.reference, answer.data.request_id],
        ['success', reference, reference],
        name,
      );
      assert.deepEqual([sent(create), sent(status)], [1, 1], name);
      assert.equal(await timesDelivered(reference), 1, name);
    }
  });

  it('sends a purchase again that was not stored, under the same reference and not too soon', async () => {
    const plays = {
      busy: [refuse(503, { 'retry-after': '7' }), refuse(429, { 'retry-after': '3' })],
      never: [loseRequest],
      both: [loseRequest, refuse(503), loseAnswer],
    };
    for (const [name, tricks] of Object.entries(plays)) {
      proxy.reset();
      proxy.play(create, ...tricks);
      const { answer, pauses } = await ask(
        `return $oja->airtime->buySync(['msisdn' => '08031234567', 'network' => 'mtn', 'amount' => '100.00']);`,
        variables('live'),
      );
      assert.equal(answer.state, 'success', name);
      const references = new Set(proxy.bodies.map((body) => JSON.parse(body).request_ref));
      assert.deepEqual([...references], [answer.reference], name);
      assert.equal(await timesDelivered(answer.reference), 1, name);
      if (name === 'busy') {
        assert.deepEqual([sent(create), sent(status)], [3, 0]);
        assert.ok(pauses[0] >= 7 && pauses[0] < 9 && pauses[1] >= 3 && pauses[1] < 5, `${pauses}`);
      }
    }
  });

  it('accepts a repeat that turns out to be stored', async () => {
    // The request arrives after all, during the query for its status.
    proxy.play(create, loseAnswer);
    proxy.play(status, refuse(404));
    const { answer } = await ask(
      `return $oja->airtime->buySync(${purchase(newReference())});`,
      variables('live'),
    );
    assert.equal(answer.state, 'success');
    assert.deepEqual([sent(create), sent(status)], [2, 2]);
    assert.equal(await timesDelivered(answer.reference), 1);
  });

  it('does not send again while the outcome is unknown', async () => {
    for (const unsure of [refuse(503, { 'retry-after': '30' }), refuse(500), refuse(403), loseRequest]) {
      proxy.reset();
      const reference = newReference();
      proxy.play(create, loseAnswer);
      proxy.play(status, ...Array.from({ length: 50 }, () => unsure));
      const { answer } = await ask(
        `return $oja->airtime->buySync(${purchase(reference)});`,
        variables('live'),
      );
      assert.deepEqual([answer.exception, answer.reference], ['OutcomeUnknown', reference]);
      assert.equal(sent(create), 1);
      assert.equal(await timesDelivered(reference), 1);
    }
    // A refusal after an unknown result does not settle it either: the first request may still
    // arrive.
    proxy.reset();
    proxy.play(create, loseRequest, refuse(403));
    const { answer } = await ask(`return $oja->airtime->buySync(${purchase(newReference())});`, variables());
    assert.deepEqual([answer.exception, answer.because], ['OutcomeUnknown', 'PermissionDenied']);
  });

  it('stops when the time is over, and reports that nothing was stored', async () => {
    proxy.play(create, ...Array.from({ length: 9 }, () => refuse(503, { 'retry-after': '1' })));
    const busy = await ask(`return $oja->airtime->buySync(${purchase('busy')});`, variables());
    assert.deepEqual([busy.answer.exception, sent(create)], ['Unavailable', 4]);
    proxy.reset();
    proxy.play(create, refuse(503, { 'retry-after': '3600' }));
    const long = await ask(`return $oja->airtime->buySync(${purchase('long')});`, variables());
    assert.deepEqual([long.answer.exception, sent(create), long.pauses], ['Unavailable', 1, []]);
    const nobody = variables('test', `http://127.0.0.1:${await freePort()}`);
    const { answer } = await ask(`return $oja->airtime->buySync(${purchase('nobody')});`, nobody);
    assert.deepEqual([answer.exception, answer.reference], ['ConnectionFailed', 'nobody']);
    const statuses = ['busy', 'long', 'nobody'].map((reference) => statusOf(gatewayHere(), reference));
    for (const { status: stored } of await Promise.all(statuses)) assert.equal(stored, 404);
  });

  it('distinguishes a used reference from one that this call stored', async () => {
    const reference = newReference();
    const buy = (fields = ''): string => `return $oja->airtime->buySync(${purchase(reference, fields)});`;
    assert.equal((await ask(buy(), variables())).answer.state, 'success');
    const { answer } = await ask(buy(), variables());
    assert.deepEqual(
      [answer.exception, answer.outcome.state, answer.outcome.reference],
      ['DuplicateReference', 'success', reference],
    );
    assert.equal(answer.differs, false);
    const { differs, outcome } = (await ask(buy("'amount' => '250.00'"), variables())).answer;
    assert.deepEqual([differs, outcome.data.differing_fields], [true, ['amount']]);
    // Known not to be stored by this call: a 503 came before the 422.
    proxy.play(create, refuse(503));
    assert.equal((await ask(buy(), variables())).answer.exception, 'DuplicateReference');
    // Under a generated reference, it is the sent purchase, unless the gateway reports otherwise.
    proxy.play(create, afterwards(usedBefore()));
    const own = await ask(
      "return $oja->airtime->buySync(['msisdn' => '08031234567', 'network' => 'mtn', 'amount' => '100']);",
      variables(),
    );
    assert.equal(own.answer.state, 'success');
    proxy.play(create, loseAnswer);
    proxy.play(status, refuse(404));
    proxy.play(create, usedBefore({ differs: true }));
    const differing = await ask(`return $oja->airtime->buySync(${purchase(newReference())});`, variables());
    assert.equal(differing.answer.exception, 'DuplicateReference');
    // After a lost request the lookup finds another purchase.
    proxy.play(create, loseRequest);
    const other = await ask(buy("'amount' => '250.00'"), variables());
    assert.deepEqual(
      [other.answer.exception, other.answer.differs, other.answer.outcome.data.amount],
      ['DuplicateReference', true, '100.00'],
    );
  });

  it('reports refusals by the required reaction', async () => {
    const cases: [string, string, Record<string, string>?][] = [
      ["$oja->airtime->buySync(['msisdn' => '0803', 'network' => 'mtn', 'amount' => '1'])", 'InvalidRequest'],
      ["$oja->airtime->buySync(['network' => 'mtn', 'amount' => '100.00'])", 'InvalidRequest'],
      ["$oja->purchases->status('nobody-has-it')", 'NotFound'],
      [`$oja->airtime->buySync(${purchase('x', "'merchant' => 'OTHER'")})`, 'NotFound'],
      ['$oja->wallet->balance()', 'AuthenticationFailed', { OJA_SECRET: 'wrong' }],
      ["iterator_to_array($oja->events->list(['after' => 'forged']))", 'InvalidRequest'],
      ["$oja->endpoints->create(['url' => 'http://10.0.0.1/'])", 'InvalidRequest'],
      ['1', 'ConfigurationInvalid', { OJA_URL: 'http://gateway.example' }],
      ['1', 'ConfigurationInvalid', { OJA_URL: 'gateway' }],
      ['1', 'ConfigurationInvalid', { OJA_SECRET: '' }],
      ['1', 'ConfigurationInvalid', { OJA_SECRET: 'a\nb' }],
      ['1', 'ConfigurationInvalid', { OJA_TIMEOUT: '-1' }],
    ];
    for (const [body, exception, over] of cases) {
      const { answer } = await ask(`return ${body};`, { ...variables(), ...over });
      assert.equal(answer.exception, exception, `${body}: ${answer.message}`);
      if (exception === 'InvalidRequest') assert.ok(answer.errors[0].field !== '', body);
    }
    const fields = await ask(
      "return $oja->airtime->buySync(['msisdn' => '0803', 'network' => 'x', 'amount' => '1']);",
      variables(),
    );
    assert.deepEqual(fields.answer.errors.map(({ field }: { field: string }) => field).toSorted(), [
      'amount',
      'msisdn',
      'network',
    ]);
  });

  it('reads lists to their end, page by page', async () => {
    const { answer } = await ask(
      `$end = $oja->events->page(['after' => 'latest', 'wait' => 0])['cursor'];
       $bought = [];
       for ($n = 0; $n < 5; $n++) {
         $bought[] = $oja->airtime->buySync(['msisdn' => '08099887766', 'network' => 'mtn', 'amount' => '100.00'])->reference;
       }
       $names = static fn (iterable $rows, string $name): array => array_map(static fn ($row) => $row[$name], iterator_to_array($rows, false));
       $feed = $oja->events->list(['after' => $end, 'types' => ['transaction.success'], 'limit' => 2]);
       $events = $names($feed, 'data');
       foreach ($oja->events->follow($end, ['limit' => 3]) as $cursor => $page) { break; }
       return [
         'bought' => $bought,
         'listed' => $names($oja->purchases->list(['msisdn' => '08099887766', 'limit' => 2]), 'request_id'),
         'told' => array_map(static fn ($data) => $data['payload']['request_id'], $events),
         'rest' => count(iterator_to_array($oja->events->list(['after' => $feed->getReturn()]), false)),
         'followed' => [count($page), count(iterator_to_array($oja->events->list(['after' => $cursor]), false))],
         'total' => $oja->purchases->page(['msisdn' => '08099887766'])['result']['page_info']['total_items'],
         'lines' => count(iterator_to_array($oja->wallet->statement(['limit' => 3]), false)) >= 5,
         'deliveries' => iterator_to_array($oja->deliveries->list(), false),
         'lazy' => $oja->purchases->list(['limit' => 'many']) instanceof Generator,
       ];`,
      variables(),
    );
    assert.deepEqual(answer.listed, answer.bought.toReversed());
    assert.deepEqual(answer.told, answer.bought);
    assert.deepEqual([answer.rest, answer.followed, answer.total], [0, [3, 2], 5]);
    assert.deepEqual([answer.lines, answer.deliveries, answer.lazy], [true, [], true]);
  });

  it('waits until a purchase is final, at most the given time', async () => {
    proxy.play(status, ...Array.from({ length: 3 }, () => stillPending), refuse(503));
    const good = await ask(
      "return $oja->purchases->waitUntilFinal($oja->airtime->buyAsync(['msisdn' => '08000000001', 'network' => 'mtn', 'amount' => '100.00']), 60);",
      variables(),
    );
    assert.equal(good.answer.state, 'failed');
    assert.ok(good.pauses.length >= 5, `${good.pauses}`);
    const late = await ask(
      `$bought = $oja->airtime->buyAsync(['msisdn' => '08000000005', 'network' => 'mtn', 'amount' => '100.00']);
       return $oja->purchases->waitUntilFinal($bought->reference, 30);`,
      variables(),
    );
    assert.deepEqual([late.answer.exception, late.answer.outcome.state], ['StillPending', 'pending']);
    const waited = late.pauses.reduce((total: number, pause: number) => total + pause, 0);
    assert.ok(waited > 29.9 && waited < 30.1, `${waited}`);
  });

  it('has a README whose examples run, with webhooks from the gateway itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'oja-php-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, 'vendor'));
    writeFileSync(join(folder, 'vendor', 'autoload.php'), `<?php require '${phpFolder}/autoload.php';`);
    const readme = readFileSync(join(phpFolder, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/^```php\n([\s\S]*?)^```/gm)].map(([, program = '']) => program);
    assert.ok(examples.length >= 8);
    const said: string[] = [];
    for (const program of examples) {
      assert.ok(program.split('\n').length <= 14, program);
      if (program.includes('php://input')) await takeWebhook(folder, program);
      else {
        const ran = await runPhp(program, variables(), folder);
        assert.deepEqual([ran.code, ran.err], [0, ''], program + ran.out + ran.err);
        said.push(ran.out);
      }
    }
    assert.match(
      said.join('\n'),
      /Delivered: [0-9a-f-]{36}[\s\S]*^msisdn: .*msisdn[\s\S]*success 1\nwallet\.low/m,
    );
  });
});

/**
 * Serves the program with PHP's own server, registers it as an endpoint, and buys until it receives
 * an event.
 */
async function takeWebhook(folder: string, program: string): Promise<void> {
  const made = gatewayHere();
  writeFileSync(join(folder, 'hook.php'), program);
  const port = await freePort();
  const created = await made.call('POST', '/v1/webhooks/endpoints', {
    body: { url: `http://127.0.0.1:${port}/hook.php` },
  });
  const { id, secret } = created.body.data;
  await using server = await servePhp(folder, port, { OJA_WEBHOOK_SECRET: secret });
  const { answer } = await ask(`return $oja->airtime->buySync(${purchase(newReference())});`, variables());
  await eventually('the event is taken', () =>
    server.said().includes(`transaction.success ${answer.reference}`) ? true : undefined,
  );
  const forged = await fetch(`http://127.0.0.1:${port}/hook.php`, { method: 'POST', body: '{}' });
  assert.equal(forged.status, 400, server.said());
  await made.call('DELETE', `/v1/webhooks/endpoints/${id}`);
}
