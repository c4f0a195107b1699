<?php

declare(strict_types=1);

namespace Oja\Testing;

/** A webhook as the gateway would send it, for tests of a shop's endpoint. */
final class SignedWebhook
{
    /** @param array<string, string> $headers */
    private function __construct(public readonly string $body, public readonly array $headers)
    {
    }

    /** @param array<string, mixed> $data */
    public static function create(string $type, array $data, #[\SensitiveParameter] string $secret, ?int $time = null): self
    {
        $time ??= time();
        $id = 'evt_' . bin2hex(random_bytes(16));
        $event = ['id' => $id, 'type' => $type, 'created_at' => gmdate(DATE_RFC3339, $time), 'data' => $data];
        $body = json_encode($event, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $signature = base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
        return new self($body, [
            'webhook-id' => $id,
            'webhook-timestamp' => (string) $time,
            'webhook-signature' => "v1,$signature",
        ]);
    }
}
