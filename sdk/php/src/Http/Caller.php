<?php

declare(strict_types=1);

namespace Oja\Http;

use Oja\Clock;
use Oja\Config;
use Oja\Exception\AuthenticationFailed;
use Oja\Exception\ConnectionFailed;
use Oja\Exception\InvalidRequest;
use Oja\Exception\NotFound;
use Oja\Exception\OjaException;
use Oja\Exception\PermissionDenied;
use Oja\Exception\RateLimited;
use Oja\Exception\RequestRefused;
use Oja\Exception\ServerFault;
use Oja\Exception\Unavailable;
use Oja\Exception\UnexpectedAnswer;

/**
 * Sends requests that buy nothing. A read is repeated after any temporary failure; a change only if
 * the gateway said that it did nothing.
 */
final class Caller
{
    private const AGAIN_WHEN_READ = [408, 429, 500, 502, 503, 504];
    private const AGAIN_WHEN_CHANGED = [408, 429, 503];

    public function __construct(
        public readonly Config $config,
        public readonly Transport $transport,
        public readonly Clock $clock,
    ) {
    }

    /**
     * @param array<string, mixed> $query
     * @return array<string, mixed>
     */
    public function get(string $path, array $query = [], ?float $timeout = null, ?float $within = null): array
    {
        return self::read($this->raw($path, $query, $timeout, $within));
    }

    /**
     * @param array<string, mixed> $query
     * @param float|null $within seconds for all repetitions; null: the client's deadline
     */
    public function raw(string $path, array $query = [], ?float $timeout = null, ?float $within = null): Answer
    {
        $wanted = new Request('GET', Request::path($path, $query), null, $timeout ?? $this->config->timeout);
        return $this->repeat($wanted, self::AGAIN_WHEN_READ, isHarmless: true, within: $within);
    }

    /**
     * Queries with a body, without a change.
     *
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function ask(string $path, #[\SensitiveParameter] array $body): array
    {
        $wanted = new Request('POST', $path, $body, $this->config->timeout);
        return self::read($this->repeat($wanted, self::AGAIN_WHEN_READ, isHarmless: true));
    }

    /**
     * Makes a change.
     *
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    public function change(string $method, string $path, #[\SensitiveParameter] ?array $body = null): array
    {
        $wanted = new Request($method, $path, $body, $this->config->timeout);
        return self::read($this->repeat($wanted, self::AGAIN_WHEN_CHANGED, isHarmless: false));
    }

    /** @param list<int> $again */
    private function repeat(Request $wanted, array $again, bool $isHarmless, ?float $within = null): Answer
    {
        $endsAt = $this->clock->elapsed() + min($this->config->deadline, $within ?? $this->config->deadline);
        for ($tries = 1; ; $tries++) {
            $left = $endsAt - $this->clock->elapsed();
            $request = new Request($wanted->method, $wanted->path, $wanted->body, max(0.001, min($wanted->timeout, $left)));
            $retryAfter = null;
            try {
                $answer = $this->transport->send($request);
                if ($answer->status >= 200 && $answer->status < 300) {
                    return $answer;
                }
                $failure = self::failure($answer);
                $mayRepeat = in_array($answer->status, $again, true) && ($isHarmless || $answer->isRefusal());
                $retryAfter = $answer->retryAfter();
            } catch (NoAnswer $noAnswer) {
                $failure = self::withoutAnswer($noAnswer);
                $mayRepeat = !$noAnswer->isLasting && ($isHarmless || $noAnswer->wasNotSent);
            }
            $pause = Backoff::seconds($tries, $retryAfter);
            if (!$mayRepeat || $tries > $this->config->retries || $this->clock->elapsed() + $pause >= $endsAt) {
                throw $failure;
            }
            $this->clock->sleep($pause);
        }
    }

    /** @return array<string, mixed> */
    public static function read(Answer $answer): array
    {
        return $answer->json() ?? throw new UnexpectedAnswer(self::unreadable($answer), $answer->status);
    }

    /** The meaning of an answer other than success. */
    public static function failure(Answer $answer, ?string $reference = null): OjaException
    {
        if (!$answer->isRefusal()) {
            return new UnexpectedAnswer(self::unreadable($answer), $answer->status, $reference);
        }
        return self::refusal($answer, $reference);
    }

    private static function refusal(Answer $answer, ?string $reference): RequestRefused
    {
        return match (true) {
            $answer->status === 401 => new AuthenticationFailed($answer, $reference),
            $answer->status === 403 => new PermissionDenied($answer, $reference),
            $answer->status === 404 => new NotFound($answer, $reference),
            $answer->status === 429 => new RateLimited($answer, $reference),
            in_array($answer->status, [408, 502, 503, 504], true) => new Unavailable($answer, $reference),
            $answer->status >= 500 => new ServerFault($answer, $reference),
            default => new InvalidRequest($answer, $reference),
        };
    }

    public static function withoutAnswer(NoAnswer $noAnswer, ?string $reference = null): OjaException
    {
        $message = 'No answer from the gateway: ' . $noAnswer->getMessage();
        return $noAnswer->isUnreadable
            ? new UnexpectedAnswer($message, null, $reference)
            : new ConnectionFailed($message, $reference);
    }

    private static function unreadable(Answer $answer): string
    {
        if ($answer->status >= 300 && $answer->status < 400) {
            return "A redirect ($answer->status) is not followed: set the address where the gateway is";
        }
        return "The answer ($answer->status) is not one of the gateway's: it is no JSON of the expected form";
    }
}
