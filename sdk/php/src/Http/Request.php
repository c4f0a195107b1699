<?php

declare(strict_types=1);

namespace Oja\Http;

/** One request, without the credentials: the transport adds them. */
final class Request
{
    /** @param array<string, mixed>|null $body null: no body */
    public function __construct(
        public readonly string $method,
        /** With its query string. */
        public readonly string $path,
        public readonly ?array $body,
        public readonly float $timeout,
    ) {
    }

    /** @param array<string, mixed> $query null values are left out */
    public static function path(string $path, array $query = []): string
    {
        $given = array_filter($query, static fn (mixed $value): bool => $value !== null);
        $words = array_map(self::word(...), $given);
        return $words === [] ? $path : $path . '?' . http_build_query($words, '', '&', PHP_QUERY_RFC3986);
    }

    private static function word(mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            is_array($value) => implode(',', $value),
            default => (string) $value,
        };
    }

    /** The body as it is sent: JSON, or a form if it contains a file. */
    public function content(): array|string|null
    {
        if ($this->body === null) {
            return null;
        }
        foreach ($this->body as $value) {
            if ($value instanceof \CURLFile) {
                return array_filter($this->body, static fn (mixed $one): bool => $one !== null);
            }
        }
        return json_encode(
            (object) $this->body,
            JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION,
        );
    }
}
