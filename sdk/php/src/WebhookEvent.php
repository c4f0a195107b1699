<?php

declare(strict_types=1);

namespace Oja;

/** An event whose signature is good. It may come more than once, always under the same id. */
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

    /** Of a purchase or an order: what became of it. Null for other events. */
    public function outcome(): ?Outcome
    {
        $purchase = $this->data['payload'] ?? $this->data['data'] ?? null;
        $reference = is_array($purchase) ? $purchase['request_id'] ?? null : null;
        return is_string($reference) ? Outcome::from($this->data, $reference) : null;
    }
}
