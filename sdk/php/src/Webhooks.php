<?php

declare(strict_types=1);

namespace Oja;

use Oja\Exception\ConfigurationInvalid;
use Oja\Exception\WebhookInvalid;

/** Receives webhooks that are signed by Standard Webhooks. */
final class Webhooks
{
    private const PREFIX = 'whsec_';

    /**
     * Returns the event of a webhook after checking its signature and its time.
     *
     * @param string $body the raw body: `php://input`, `$request->getContent()`
     * @param array<string, string|list<string|null>> $headers of `getallheaders()`, `$_SERVER` or
     * `$request->headers->all()`
     * @param string|list<string> $secret of the endpoint; during a rotation, both
     * @param int $tolerance allowed difference of its time in seconds, in both directions
     *
     * @throws WebhookInvalid
     */
    public static function unwrap(
        string $body,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] string|array $secret,
        int $tolerance = 300,
        ?int $now = null,
    ): WebhookEvent {
        $keys = [];
        foreach ((array) $secret as $one) {
            $keys[] = self::key($one);
        }
        if ($keys === []) {
            throw new ConfigurationInvalid('A webhook is verified with the secret of its endpoint: none is given');
        }
        $id = self::header($headers, 'webhook-id');
        $time = self::header($headers, 'webhook-timestamp');
        $signatures = explode(' ', self::header($headers, 'webhook-signature'));
        if (preg_match('/^[1-9]\d{0,11}$/', $time) !== 1) {
            throw new WebhookInvalid('The header webhook-timestamp is no time in seconds');
        }
        if (!self::isSigned("$id.$time.$body", $signatures, $keys)) {
            throw new WebhookInvalid('The signature of the webhook is not good');
        }
        if (abs(($now ?? time()) - (int) $time) > $tolerance) {
            throw new WebhookInvalid("The webhook is more than $tolerance seconds off: it is old, or a clock is wrong");
        }
        return self::read($body);
    }

    /**
     * @param list<string> $signatures
     * @param list<string> $keys
     */
    private static function isSigned(string $signed, array $signatures, #[\SensitiveParameter] array $keys): bool
    {
        $isGood = false;
        foreach ($keys as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
            foreach ($signatures as $signature) {
                // All signatures are compared, so that the time taken reveals nothing.
                $isGood = hash_equals($expected, $signature) || $isGood;
            }
        }
        return $isGood;
    }

    private static function read(string $body): WebhookEvent
    {
        $event = json_decode($body, true, 64, JSON_BIGINT_AS_STRING);
        [$id, $type, $at, $data] = [$event['id'] ?? null, $event['type'] ?? null, $event['created_at'] ?? null, $event['data'] ?? null];
        if (!is_string($id) || !is_string($type) || !is_string($at) || !is_array($data)) {
            throw new WebhookInvalid('The webhook is signed, but its body is no event');
        }
        return new WebhookEvent($id, $type, $at, $data);
    }

    /**
     * The only header of that name, in any letter case.
     *
     * @param array<string, string|list<string|null>> $headers
     */
    private static function header(#[\SensitiveParameter] array $headers, string $name): string
    {
        $found = [];
        foreach ($headers as $key => $value) {
            $spelt = strtr(strtolower((string) $key), '_', '-');
            if ($spelt === $name || $spelt === "http-$name") {
                $found = [...$found, ...array_values((array) $value)];
            }
        }
        if (count($found) !== 1 || !is_string($found[0]) || $found[0] === '') {
            throw new WebhookInvalid("The webhook needs the header $name, once");
        }
        return $found[0];
    }

    private static function key(#[\SensitiveParameter] mixed $secret): string
    {
        $text = is_string($secret) && str_starts_with($secret, self::PREFIX) ? substr($secret, strlen(self::PREFIX)) : '';
        $key = base64_decode($text, true);
        if ($key === false || strlen($key) < 24 || strlen($key) > 64) {
            throw new ConfigurationInvalid('The secret of a webhook is "whsec_" and base64 of 24 to 64 bytes, as the gateway showed it');
        }
        return $key;
    }
}
