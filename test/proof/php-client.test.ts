/**
 * The client for PHP (sdk/php) without a gateway: its files, hostile servers, exposure of its
 * secret, and its fakes for tests.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ask, phpFolder, runPhp, whyNoPhp } from '../sdk/run-php.ts';
import { until } from '../support/until.ts';

const skip = whyNoPhp();
const secret = 'a-secret-that-nobody-sees';

function variables(url: string): Record<string, string> {
  return { OJA_URL: url, OJA_KEY: 'oja_test_1', OJA_SECRET: secret, OJA_MERCHANT: 'DEMO' };
}

/** A server that answers everything in one way, and the requests that it received. */
async function serve(
  answer: (response: ServerResponse) => void,
  isSecure = false,
): Promise<{ url: string; requests: string[] } & AsyncDisposable> {
  const requests: string[] = [];
  const listener = (
    request: { method?: string | undefined; url?: string | undefined },
    response: ServerResponse,
  ) => {
    requests.push(`${request.method} ${request.url}`);
    answer(response);
  };
  const read = (name: string): Buffer =>
    readFileSync(new URL(`../support/self-signed.${name}.pem`, import.meta.url));
  const server = isSecure
    ? createTlsServer({ key: read('key'), cert: read('cert') }, listener)
    : createServer(listener);
  await new Promise<void>((resolve) => (server as Server).listen(0, '127.0.0.1', resolve));
  return {
    url: `http${isSecure ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const balance = 'return $oja->wallet->balance();';
const buy =
  "return $oja->airtime->buySync(['msisdn' => '08031234567', 'network' => 'mtn', 'amount' => '100']);";

describe('the files of the client for PHP', { skip }, () => {
  it('each file is valid PHP, and a class of its name', async () => {
    const ran = await runPhp(`<?php
      require 'autoload.php';
      $loaded = 0;
      foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('src', FilesystemIterator::SKIP_DOTS)) as $file) {
        $name = 'Oja' . strtr(substr($file, strlen('src'), -strlen('.php')), '/', '\\\\');
        // The provider needs Laravel. It is parsed here, and loaded in a separate test.
        str_contains($name, 'Laravel') ? token_get_all(file_get_contents($file), TOKEN_PARSE) : new ReflectionClass($name);
        $loaded++;
      }
      token_get_all(file_get_contents('config/oja.php'), TOKEN_PARSE);
      echo $loaded > 40 ? 'all' : $loaded;`);
    assert.deepEqual([ran.err, ran.out], ['', 'all']);
  });

  it('verifies certificates always, and follows no redirect', () => {
    const code = execFileSync('sh', ['-c', 'cat $(find src config -name "*.php")'], {
      cwd: phpFolder,
      encoding: 'utf8',
    });
    assert.deepEqual(
      [...code.matchAll(/CURLOPT_SSL_VERIFYPEER => (\w+)/g)].map(([, value]) => value),
      ['true'],
    );
    assert.deepEqual(
      [...code.matchAll(/CURLOPT_SSL_VERIFYHOST => (\w+)/g)].map(([, value]) => value),
      ['2'],
    );
    assert.deepEqual(
      [...code.matchAll(/CURLOPT_FOLLOWLOCATION => (\w+)/g)].map(([, value]) => value),
      ['false'],
    );
  });
});

describe('the client for PHP with misbehaving servers', { skip }, () => {
  it('limits answers: ten megabytes, compressed data, headers, and time', async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000));
    const answers: Record<string, (response: ServerResponse) => void> = {
      large: (response) => response.end(`{"a":"${'x'.repeat(10_000_001)}"}`),
      bomb: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      headers: (response) => {
        for (let n = 0; n < 10; n += 1) response.setHeader(`x-${n}`, 'x'.repeat(8_000));
        response.end('{}');
      },
    };
    for (const [name, answer] of Object.entries(answers)) {
      await using server = await serve(answer);
      const got = (await ask(`ini_set('memory_limit', '64M'); ${balance}`, variables(server.url))).answer;
      assert.equal(got.exception, 'UnexpectedAnswer', `${name}: ${got.message}`);
      assert.equal(server.requests.length, 1);
    }
    await using almost = await serve((response) => response.end(`{"a":"${'x'.repeat(9_900_000)}"}`));
    assert.equal(
      (await ask("return strlen($oja->wallet->balance()['a']);", variables(almost.url))).answer,
      9_900_000,
    );
    for (const answer of [
      () => undefined,
      (response: ServerResponse) => {
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      },
    ]) {
      await using slow = await serve(answer);
      const options = "['timeout' => 0.3, 'retries' => 1]";
      const got = (await ask(balance, variables(slow.url), options)).answer;
      assert.equal(got.exception, 'ConnectionFailed');
      // The last answer may be read after its call was abandoned.
      await until('both have arrived', () => slow.requests.length >= 2);
      assert.equal(slow.requests.length, 2);
    }
  });

  it('reports an address that is no gateway: a page, a redirect, a wrong certificate', async () => {
    await using page = await serve((response) => response.end('<html>Welcome</html>'));
    assert.equal((await ask(balance, variables(page.url))).answer.exception, 'UnexpectedAnswer');
    let asked = 0;
    await using target = await serve((response) => {
      asked += 1;
      response.end('{}');
    });
    for (const status of [301, 302, 307, 308]) {
      await using moved = await serve((response) =>
        response.writeHead(status, { location: target.url }).end(),
      );
      for (const body of [balance, buy]) {
        const { answer } = await ask(body, variables(moved.url));
        assert.equal(answer.exception, 'UnexpectedAnswer');
      }
    }
    assert.equal(asked, 0);
    await using forged = await serve((response) => response.end('{}'), true);
    for (const body of [balance, buy]) {
      const { answer, pauses } = await ask(body, variables(forged.url));
      assert.equal(answer.exception, 'ConnectionFailed');
      assert.deepEqual(pauses, []);
    }
    assert.deepEqual(forged.requests, []);
  });

  it('retries reads, and requests that did nothing', async () => {
    const refusal = (status: number): string =>
      JSON.stringify({ status: 'error', code: status, message: 'no' });
    for (const [body, status, requests] of [
      [balance, 500, 4],
      [balance, 502, 4],
      [balance, 400, 1],
      ["return $oja->purchases->verify(['network' => 'x']);", 502, 4],
      ["return $oja->endpoints->create(['url' => 'https://shop.example/']);", 503, 4],
      ["return $oja->endpoints->create(['url' => 'https://shop.example/']);", 500, 1],
      ["return $oja->test->createDeposit(['amount' => '100.00']);", 502, 1],
    ] as const) {
      await using server = await serve((response) => response.writeHead(status).end(refusal(status)));
      await ask(body, variables(server.url));
      assert.equal(server.requests.length, requests, `${body} ${status}`);
    }
  });

  it('sends a purchase once by curl, also where a connection has died meanwhile', async () => {
    const posted: number[] = [];
    let connections = 0;
    const outcome =
      '{"status":"success","response_code":"00","response_message":"","data":{"request_id":"one"}}';
    const buyOne = buy.replace('[', "['request_ref' => 'one', ");
    const server = createSocketServer((socket) => {
      const connection = ++connections;
      let requests = 0;
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          if (/^POST/.test(chunk.toString())) posted.push(connection);
          requests += 1;
          if (requests > 1) socket.destroy();
          else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${outcome.length}\r\n\r\n${outcome}`);
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { answer } = await ask(`$oja->wallet->balance(); ${buyOne}`, variables(`http://127.0.0.1:${port}`));
    server.close();
    assert.deepEqual([answer.state, posted], ['success', [2]]);
  });

  it('requests only what was named, whatever is in a name', async () => {
    const refusal = JSON.stringify({ status: 'error', code: 404, message: 'no' });
    await using server = await serve((response) => response.writeHead(404).end(refusal));
    await ask("return $oja->giftCards->getOrder('../../wallet/balance?x=1');", variables(server.url));
    await ask("return $oja->giftCards->getOrder('..');", variables(server.url));
    assert.deepEqual(server.requests, [
      'GET /v1/giftcards/orders/..%2F..%2Fwallet%2Fbalance%3Fx%3D1',
      'GET /v1/giftcards/orders/..',
    ]);
  });
});

describe('the secret of the client for PHP', { skip }, () => {
  it('shows its secret in no dump, message or stack trace', async () => {
    const dumps = `
      ob_start();
      var_dump($oja);
      print_r($oja);
      var_export(Oja\\Config::fromEnvironment()->secret);
      var_dump((array) Oja\\Config::fromEnvironment());
      debug_zval_refcount ?? null;
      return ob_get_clean();`.replace('debug_zval_refcount ?? null;', '');
    const { answer } = await ask(dumps, variables('https://gateway.example'));
    assert.match(answer, /oja_test_1/);
    assert.ok(!answer.includes(secret));
    await using refusing = await serve((response) =>
      response.writeHead(401).end('{"status":"error","code":401,"message":"Missing or invalid"}'),
    );
    for (const [body, url, options] of [
      [balance, refusing.url, '[]'],
      [buy, 'http://127.0.0.1:1', "['retries' => 0]"],
      ['1;', 'nowhere', `['secret' => '${secret}']`],
      ['1;', 'https://x.example', `['secret' => '${secret}', 'unheard' => 1]`],
      ['1;', 'https://x.example', `['secret' => "${secret}\\n"]`],
      ['1;', 'https://x.example', `['secret' => '${secret}', 'timeout' => 'x']`],
    ] as const) {
      const got = (await ask(body, variables(url), options)).answer;
      assert.ok(got.exception !== undefined && got.dump.length > 100, body);
      assert.ok(!got.dump.includes(secret), got.dump);
    }
    const serialized = await runPhp(
      `<?php require 'autoload.php'; try { serialize(Oja\\Config::fromEnvironment()); } catch (LogicException $e) { echo 'no'; }`,
      variables('https://gateway.example'),
    );
    assert.equal(serialized.out, 'no');
  });
});

describe('the reaction of the client for PHP to bad answers', { skip }, () => {
  const begin = `
    $gateway = new Oja\\Testing\\FakeGateway();
    $oja = $gateway->client();
    $airtime = static fn (string $msisdn, string $amount = '100.00'): array =>
      ['request_ref' => 'one', 'msisdn' => $msisdn, 'network' => 'mtn', 'amount' => $amount];`;
  const askHere = (body: string) => ask(`${begin}${body}`, variables('https://gateway.example'));

  it('continues while the gateway is away, until the time is over', async () => {
    const away = `for ($n = 0; $n < TIMES; $n += 4) {
      $gateway->loseNextRequest()->refuseNext(503, 1)->refuseNext(429)->refuseNext(500);
    }`;
    const pending = "$bought = $oja->airtime->buyAsync($airtime('08000000002'));";
    const back = await askHere(
      `${pending}${away.replace('TIMES', '40')} return $oja->purchases->waitUntilFinal($bought);`,
    );
    assert.equal(back.answer.state, 'success');
    const gone = `${away.replace('TIMES', '1000')}
      $fail = null;
      try { $oja->purchases->waitUntilFinal(WHAT, 30); } catch (Oja\\Exception\\OjaException $fail) {}
      return [(new ReflectionClass($fail))->getShortName(), $fail->reference, $fail->outcome->state ?? null, $gateway->clock->elapsed()];`;
    const late = await askHere(pending + gone.replace('WHAT', '$bought'));
    assert.deepEqual(late.answer.slice(0, 3), ['StillPending', 'one', 'pending']);
    const unheard = await askHere(gone.replace('WHAT', "'two'"));
    assert.deepEqual(unheard.answer.slice(0, 3), ['OutcomeUnknown', 'two', null]);
    for (const { answer } of [late, unheard]) assert.ok(answer[3] >= 30 && answer[3] < 31, answer[3]);
    const unknown = await askHere("return $oja->purchases->waitUntilFinal('never', 30);");
    assert.equal(unknown.answer.exception, 'NotFound');
  });

  it('queries no longer than it may wait', async () => {
    await using silent = await serve(() => undefined);
    const wait = "return $oja->purchases->waitUntilFinal('one', 0.1);";
    const { answer } = await ask(wait, variables(silent.url));
    assert.deepEqual([answer.exception, answer.because], ['OutcomeUnknown', 'ConnectionFailed']);
  });

  it('detects another purchase under its reference, but not by a masked number', async () => {
    const bought = "$oja->airtime->buySync($airtime('08031234567')); $gateway->loseNextRequest();";
    const other = await askHere(`${bought} $oja->airtime->buySync($airtime('08031234567', '250.00'));`);
    assert.deepEqual([other.answer.exception, other.answer.differs], ['DuplicateReference', true]);
    const masked = await askHere(
      `${bought} $gateway->purchases['one']['body']['msisdn'] = '0803*******';
       return $oja->airtime->buySync($airtime('08031234567'));`,
    );
    assert.equal(masked.answer.state, 'success');
  });

  it('ignores an answer about another reference, and sends again after a 502', async () => {
    const about = (reference: string) =>
      `$gateway->answer('POST /v1/transactions/airtime/sync',
         ['status' => 'success', 'response_code' => '00', 'response_message' => '', 'data' => ['request_id' => '${reference}']]);
       return $oja->airtime->buySync($airtime('08031234567'));`;
    assert.equal((await askHere(about('one'))).answer.state, 'success');
    assert.equal((await askHere(about('two'))).answer.exception, 'OutcomeUnknown');
    const again = await askHere(
      "$gateway->refuseNext(502); $oja->airtime->buySync($airtime('08031234567')); return $gateway->requests;",
    );
    assert.deepEqual(again.answer, Array(2).fill('POST /v1/transactions/airtime/sync'));
  });
});

describe('the test tools for shops', { skip }, () => {
  it('provides a gateway that stores each reference once, without real pauses', async () => {
    const { answer } = await ask(
      `$gateway = new Oja\\Testing\\FakeGateway();
       $oja = $gateway->client();
       $airtime = static fn (string $msisdn): array => ['msisdn' => $msisdn, 'network' => 'mtn', 'amount' => '100.00'];
       $gateway->loseNextRequest()->refuseNext(503, 9)->loseNextAnswer();
       $bought = $oja->airtime->buySync($airtime('08031234567'));
       return [
         'one' => [$bought->state, count($gateway->purchases), max($gateway->clock->pauses) >= 9],
         'failed' => $oja->airtime->buySync($airtime('08000000001'))->state,
         'later' => $oja->purchases->waitUntilFinal($oja->airtime->buyAsync($airtime('08000000003')))->state,
         'balance' => $gateway->answer('GET /v1/wallet/balance', ['result' => ['available' => '5.00']])->client()->wallet->balance(),
         'order' => $oja->giftCards->order(['plan_id' => 3])->state,
       ];`,
      variables('https://gateway.example'),
    );
    assert.deepEqual(answer, {
      one: ['success', 1, true],
      failed: 'failed',
      later: 'failed',
      balance: { result: { available: '5.00' } },
      order: 'success',
    });
  });

  it('provides one client in Laravel, set up by its config', async () => {
    // The parts of Laravel that the provider uses. Laravel itself is not a dependency.
    const ran = await runPhp(
      `<?php
       namespace Illuminate\\Support {
         abstract class ServiceProvider {
           public function __construct(public $app) {}
           protected function mergeConfigFrom($path, $key) { $this->app->config[$key] = require $path; }
           protected function publishes(array $paths, $group) { echo $group, ' ', basename(array_key_first($paths)), ' '; }
         }
       }
       namespace {
         function env($name, $default = null) { $value = getenv($name); return $value === false ? $default : $value; }
         require 'autoload.php';
         $app = new class implements ArrayAccess {
           public array $config = [];
           public array $made = [];
           public function singleton($class, $make) { $this->made[$class] = $make; }
           public function runningInConsole() { return true; }
           public function configPath($file) { return $file; }
           public function get($key, $default) { return $this->config[$key] ?? $default; }
           public function offsetGet(mixed $key): mixed { return $this; }
           public function offsetExists(mixed $key): bool { return true; }
           public function offsetSet(mixed $key, mixed $value): void {}
           public function offsetUnset(mixed $key): void {}
         };
         $provider = new Oja\\Laravel\\OjaServiceProvider($app);
         $provider->register();
         $provider->boot();
         echo get_class($app->made[Oja\\Client::class]($app));
       }`,
      variables('https://gateway.example'),
    );
    assert.deepEqual([ran.err, ran.out], ['', 'oja-config oja.php Oja\\Client']);
  });
});
