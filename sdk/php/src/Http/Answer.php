<?php

declare(strict_types=1);

namespace Oja\Http;

/** A complete answer. */
final class Answer
{
    /** @var array<string, mixed>|null */
    private ?array $read = null;
    private bool $isRead = false;

    /** @param array<string, string> $headers by their names in lower case */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    /**
     * The body as a JSON object. Null if it is not one.
     *
     * @return array<string, mixed>|null
     */
    public function json(): ?array
    {
        if (!$this->isRead) {
            $read = json_decode($this->body, true, 64, JSON_BIGINT_AS_STRING);
            $this->read = is_array($read) && str_starts_with(ltrim($this->body), '{') ? $read : null;
            $this->isRead = true;
        }
        return $this->read;
    }

    /**
     * Whether the gateway itself refuses. A proxy in between may answer with the same status, and
     * then the effect of the request is unknown.
     */
    public function isRefusal(): bool
    {
        $body = $this->json();
        return $body !== null && ($body['status'] ?? null) === 'error' && ($body['code'] ?? null) === $this->status;
    }

    /** Seconds, from a number or a date. Null: not stated. */
    public function retryAfter(): ?float
    {
        $value = trim($this->header('retry-after') ?? '');
        if (preg_match('/^\d{1,9}$/', $value) === 1) {
            return (float) $value;
        }
        $time = $value === '' ? false : strtotime($value);
        return $time === false ? null : (float) max(0, $time - time());
    }
}
