<?php

declare(strict_types=1);

namespace Oja;

/**
 * The outcome of a purchase, as far as it is known. Success and failed are final. Pending is
 * neither: do not refund, and do not buy again.
 */
final class Outcome
{
    /**
     * @param 'success'|'failed'|'pending' $state
     * @param array<string, mixed> $data the purchase as the gateway reports it: tokens, cards,
     * times
     */
    public function __construct(
        public readonly string $state,
        public readonly string $message,
        public readonly string $reference,
        public readonly array $data,
        /** The path of the order's lookup. Null: the status of purchases. */
        public readonly ?string $orderPath = null,
    ) {
    }

    /** `00`, `01` or `02`. */
    public function code(): string
    {
        return ['success' => '00', 'failed' => '01', 'pending' => '02'][$this->state];
    }

    public function isSuccess(): bool
    {
        return $this->state === 'success';
    }

    public function isFailed(): bool
    {
        return $this->state === 'failed';
    }

    public function isPending(): bool
    {
        return $this->state === 'pending';
    }

    public function isFinal(): bool
    {
        return !$this->isPending();
    }

    /** Why it failed, as a stable code such as `insufficient_funds`. Null: it did not fail. */
    public function reason(): ?string
    {
        return $this->isFailed() ? $this->data['reason'] ?? 'provider_refused' : null;
    }

    /** The gateway's own reference: quote it when you ask for help. */
    public function internalReference(): ?string
    {
        return $this->data['internal_reference'] ?? null;
    }

    /**
     * Reads an answer of the gateway in any of its formats. Null: it is not one of them, or is
     * about another reference.
     *
     * @param array<string, mixed> $answer
     */
    public static function from(array $answer, string $reference, ?string $orderPath = null): ?self
    {
        [$state, $message, $data] = isset($answer['state'])
            ? [$answer['state'], $answer['message'] ?? '', $answer['payload'] ?? []]
            : [$answer['status'] ?? null, $answer['response_message'] ?? '', $answer['data'] ?? []];
        if (!in_array($state, ['success', 'failed', 'pending'], true) || !is_string($message) || !is_array($data)) {
            return null;
        }
        if (($data['request_id'] ?? null) !== $reference) {
            return null;
        }
        return new self($state, $message, $reference, $data, $orderPath);
    }

    /**
     * Whether the reference belongs to a purchase other than the one that was sent. A masked number
     * such as `0803*******` proves nothing.
     *
     * @param array<string, mixed> $body
     */
    public function contradicts(array $body): bool
    {
        foreach (['amount' => self::plainAmount(...), 'msisdn' => self::plainNumber(...)] as $field => $plain) {
            [$sent, $stored] = [$body[$field] ?? $body["customer_$field"] ?? null, $this->data[$field] ?? null];
            $isKnown = is_string($sent) && is_string($stored) && !str_contains($stored, '*');
            if ($isKnown && $plain($sent) !== $plain($stored)) {
                return true;
            }
        }
        return false;
    }

    /** `100`, `100.0` and `100.00` are the same. */
    private static function plainAmount(string $amount): string
    {
        [$whole, $part] = explode('.', $amount, 2) + [1 => ''];
        return ltrim($whole, '0') . '.' . str_pad($part, 2, '0');
    }

    /** `080…`, `234…` and `+234…` are the same. */
    private static function plainNumber(string $number): string
    {
        return substr($number, -10);
    }
}
