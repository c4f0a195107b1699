<?php

declare(strict_types=1);

namespace Oja\Http;

/** A purchase to make, and where its status is looked up. */
final class Buying
{
    private function __construct(
        public readonly string $path,
        /** @var array<string, mixed> with its reference */
        public readonly array $body,
        public readonly string $reference,
        /** The reference was created here, so no other request can have used it. */
        public readonly bool $isOwnReference,
        /** The path of the order's lookup. Null: the status of purchases. */
        public readonly ?string $orderPath,
    ) {
    }

    /** @param array<string, mixed> $body */
    public static function purchase(string $path, #[\SensitiveParameter] array $body, ?string $merchant): self
    {
        if (!isset($body['merchant']) && !isset($body['merchant_code']) && $merchant !== null) {
            $body['merchant'] = $merchant;
        }
        return self::make($path, $body, isset($body['client_request_id']) ? 'client_request_id' : 'request_ref', null);
    }

    /** @param array<string, mixed> $body */
    public static function order(string $path, #[\SensitiveParameter] array $body, string $orderPath): self
    {
        return self::make($path, $body, 'request_id', $orderPath);
    }

    /** @param array<string, mixed> $body */
    private static function make(string $path, #[\SensitiveParameter] array $body, string $field, ?string $orderPath): self
    {
        $isOwn = !isset($body[$field]);
        $body[$field] ??= \Oja\Reference::create();
        if (!is_string($body[$field])) {
            throw new \InvalidArgumentException("$field must be a string");
        }
        return new self($path, $body, $body[$field], $isOwn, $orderPath);
    }

    public static function lookUpPath(string $reference, ?string $orderPath): string
    {
        return $orderPath === null
            ? Request::path('/v1/transactions/status', ['request_ref' => $reference])
            : $orderPath . '/' . rawurlencode($reference);
    }
}
