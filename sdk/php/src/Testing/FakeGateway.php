<?php

declare(strict_types=1);

namespace Oja\Testing;

use Oja\Client;
use Oja\Http\Answer;
use Oja\Http\NoAnswer;
use Oja\Http\Request;
use Oja\Http\Transport;

/**
 * Simulates a gateway in the tests of a shop, without network and without waiting. It stores each
 * reference once, as the gateway does, and knows the numbers 08000000001 (fails), 08000000002
 * (pending, then a success) and 08000000003 (pending, then failed). All others succeed at once.
 */
final class FakeGateway implements Transport
{
    /** @var array<string, array{state: string, body: array<string, mixed>, isOrder: bool}> by reference */
    public array $purchases = [];
    /** @var list<string> such as "POST /v1/transactions" */
    public array $requests = [];
    public readonly FakeClock $clock;
    /** @var list<\Closure(Request): Answer> */
    private array $next = [];
    /** @var array<string, array<string, mixed>> */
    private array $answers = [];

    public function __construct()
    {
        $this->clock = new FakeClock();
    }

    /** @param array<string, mixed> $options */
    public function client(array $options = []): Client
    {
        $config = $options + ['url' => 'http://localhost', 'key' => 'oja_test_fake', 'secret' => 'fake', 'merchant' => 'FAKE'];
        return new Client($config, $this, $this->clock);
    }

    /**
     * Sets the answer to a request from now on: `answer('GET /v1/wallet/balance', [...])`.
     *
     * @param array<string, mixed> $body
     */
    public function answer(string $question, array $body): self
    {
        $this->answers[$question] = $body;
        return $this;
    }

    /** The next request is refused and stores nothing. */
    public function refuseNext(int $status, ?int $retryAfter = null): self
    {
        $this->next[] = static fn (): Answer => self::refusal($status, 'requests_full', 'Refused by the test', [], $retryAfter);
        return $this;
    }

    /** The next request is executed, and its answer is lost. */
    public function loseNextAnswer(): self
    {
        $this->next[] = function (Request $request): Answer {
            $this->work($request);
            throw new NoAnswer('lost by the test');
        };
        return $this;
    }

    /** The next request does not arrive, and the client cannot know that. */
    public function loseNextRequest(): self
    {
        $this->next[] = static fn (): Answer => throw new NoAnswer('lost by the test');
        return $this;
    }

    /** A pending purchase becomes final. */
    public function finish(string $reference, string $state = 'success'): void
    {
        $this->purchases[$reference]['state'] = $state;
    }

    public function send(Request $request): Answer
    {
        $this->requests[] = $request->method . ' ' . $request->path;
        $next = array_shift($this->next);
        return $next === null ? $this->work($request) : $next($request);
    }

    private function work(Request $request): Answer
    {
        $path = (string) parse_url($request->path, PHP_URL_PATH);
        $known = $this->answers["$request->method $path"] ?? null;
        if ($known !== null) {
            return self::json(200, $known);
        }
        $body = $request->body ?? [];
        $reference = $body['request_ref'] ?? $body['client_request_id'] ?? $body['request_id'] ?? null;
        if ($request->method === 'POST' && is_string($reference)) {
            return $this->store($reference, $body, !isset($body['msisdn']) && !isset($body['customer_msisdn']));
        }
        return $this->lookUp($request->path, $path);
    }

    /** @param array<string, mixed> $body */
    private function store(string $reference, array $body, bool $isOrder): Answer
    {
        if (isset($this->purchases[$reference])) {
            $data = ['status' => $this->purchases[$reference]['state']] + $this->dataOf($reference);
            return self::refusal(422, 'reference_used', 'This reference was used before', $data);
        }
        $number = substr((string) ($body['msisdn'] ?? $body['customer_msisdn'] ?? ''), -10);
        $state = match ($number) {
            '8000000001' => 'failed',
            '8000000002', '8000000003' => 'pending',
            default => 'success',
        };
        $this->purchases[$reference] = ['state' => $state, 'body' => $body, 'isOrder' => $isOrder];
        return $this->envelope($reference);
    }

    private function lookUp(string $whole, string $path): Answer
    {
        parse_str((string) parse_url($whole, PHP_URL_QUERY), $query);
        $reference = $query['request_ref'] ?? rawurldecode(basename($path));
        if (!isset($this->purchases[$reference])) {
            return self::refusal(404, 'purchase_unknown', "The test has no answer to $path");
        }
        $purchase = $this->purchases[$reference];
        $number = substr((string) ($purchase['body']['msisdn'] ?? ''), -10);
        // The next query returns the final outcome.
        if ($purchase['state'] === 'pending') {
            $this->finish($reference, $number === '8000000003' ? 'failed' : 'success');
        }
        return isset($query['request_ref'])
            ? self::json(200, ['state' => $purchase['state'], 'code' => '', 'message' => '', 'payload' => $this->dataOf($reference)])
            : $this->envelope($reference);
    }

    private function envelope(string $reference): Answer
    {
        $state = $this->purchases[$reference]['state'];
        $data = $this->dataOf($reference);
        return self::json(200, ['status' => $state, 'response_code' => '', 'response_message' => $state, 'data' => $data]);
    }

    /** @return array<string, mixed> */
    private function dataOf(string $reference): array
    {
        $purchase = $this->purchases[$reference];
        $failure = $purchase['state'] === 'failed' ? ['reason' => 'provider_refused'] : [];
        return ['request_id' => $reference, 'internal_reference' => "fake-$reference"] + $failure + $purchase['body'];
    }

    /** @param array<string, mixed> $data */
    private static function refusal(
        int $status,
        string $reason,
        string $message,
        array $data = [],
        ?int $retryAfter = null,
    ): Answer {
        $body = ['status' => 'error', 'code' => $status, 'reason' => $reason, 'message' => $message];
        $headers = $retryAfter === null ? [] : ['retry-after' => (string) $retryAfter];
        return self::json($status, $data === [] ? $body : $body + ['data' => $data], $headers);
    }

    /**
     * @param array<string, mixed> $body
     * @param array<string, string> $headers
     */
    private static function json(int $status, array $body, array $headers = []): Answer
    {
        return new Answer($status, $headers, json_encode($body, JSON_THROW_ON_ERROR));
    }
}
