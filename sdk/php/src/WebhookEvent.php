<?php

declare(strict_types=1);

namespace Oja;

/** An event with a valid signature. It may arrive several times, always with the same id. */
final class WebhookEvent
{
    /** @param array<string, mixed> $data */
    public function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly string $createdAt,
        public readonly array $data,
    ) {
    }

    /** The outcome of the purchase or order. Null for other events. */
    public function outcome(): ?Outcome
    {
        $purchase = $this->data['payload'] ?? $this->data['data'] ?? null;
        $reference = is_array($purchase) ? $purchase['request_id'] ?? null : null;
        return is_string($reference) ? Outcome::from($this->data, $reference) : null;
    }
}
