<?php

declare(strict_types=1);

namespace Oja;

use Oja\Exception\ConfigurationInvalid;

/**
 * The gateway's address, the credentials, and all time limits. Validated when it is created, so
 * errors are found before anything is sent.
 */
final class Config
{
    private const NAMES = ['url', 'key', 'secret', 'merchant', 'timeout', 'connect_timeout', 'deadline', 'retries', 'allow_http'];

    private function __construct(
        public readonly string $url,
        public readonly string $key,
        public readonly Secret $secret,
        /** Sent with each purchase that does not name a merchant. */
        public readonly ?string $merchant,
        /** Seconds for one request. A sync purchase is answered within 60 seconds. */
        public readonly float $timeout,
        public readonly float $connectTimeout,
        /** Seconds for a call with all its repetitions. */
        public readonly float $deadline,
        /** The maximum number of repetitions of a request. */
        public readonly int $retries,
    ) {
    }

    /** @param array<string, mixed> $options */
    public static function from(#[\SensitiveParameter] array $options): self
    {
        $unknown = array_diff(array_keys($options), self::NAMES);
        if ($unknown !== []) {
            throw new ConfigurationInvalid('Unknown option ' . reset($unknown) . '; there are ' . implode(', ', self::NAMES));
        }
        return new self(
            self::url(self::text($options, 'url', 'OJA_URL'), (bool) ($options['allow_http'] ?? false)),
            self::text($options, 'key', 'OJA_KEY'),
            new Secret(self::text($options, 'secret', 'OJA_SECRET')),
            isset($options['merchant']) ? self::text($options, 'merchant', 'OJA_MERCHANT') : null,
            self::seconds($options, 'timeout', 75),
            self::seconds($options, 'connect_timeout', 5),
            self::seconds($options, 'deadline', 120),
            self::retries($options['retries'] ?? 3),
        );
    }

    /**
     * From OJA_URL, OJA_KEY, OJA_SECRET and OJA_MERCHANT; OJA_TIMEOUT and OJA_DEADLINE in seconds.
     *
     * @param array<string, mixed> $options override these
     */
    public static function fromEnvironment(#[\SensitiveParameter] array $options = []): self
    {
        foreach (['url', 'key', 'secret', 'merchant', 'timeout', 'deadline'] as $name) {
            $value = getenv('OJA_' . strtoupper($name));
            if (!isset($options[$name]) && $value !== false && $value !== '') {
                $options[$name] = $value;
            }
        }
        return self::from($options);
    }

    /** @param array<string, mixed> $options */
    private static function text(#[\SensitiveParameter] array $options, string $name, string $variable): string
    {
        $value = $options[$name] ?? '';
        // The value is not shown, because it may be the secret.
        if (!is_string($value) || $value === '' || preg_match('/[^\x21-\x7e]/', $value) === 1) {
            throw new ConfigurationInvalid("$name must be text of visible characters: set $variable");
        }
        return $value;
    }

    private static function url(string $url, bool $allowsHttp): string
    {
        $parts = parse_url($url);
        $scheme = strtolower($parts['scheme'] ?? '');
        $host = strtolower($parts['host'] ?? '');
        if ($parts === false || $host === '' || isset($parts['user']) || isset($parts['query']) || isset($parts['fragment'])) {
            throw new ConfigurationInvalid('url must be the address of the gateway, such as https://gateway.example');
        }
        $isLocal = $host === 'localhost' || $host === '[::1]' || preg_match('/^127\.\d+\.\d+\.\d+$/', $host) === 1;
        if ($scheme !== 'https' && !($scheme === 'http' && ($isLocal || $allowsHttp))) {
            throw new ConfigurationInvalid('url must begin with https://, since the secret is sent there');
        }
        return rtrim($url, '/');
    }

    /** @param array<string, mixed> $options */
    private static function seconds(#[\SensitiveParameter] array $options, string $name, float $default): float
    {
        $value = $options[$name] ?? $default;
        if (!is_numeric($value) || $value <= 0 || $value > 86_400) {
            throw new ConfigurationInvalid("$name must be seconds, more than 0 and at most 86400");
        }
        return (float) $value;
    }

    private static function retries(mixed $value): int
    {
        if (!is_int($value) || $value < 0 || $value > 20) {
            throw new ConfigurationInvalid('retries must be a whole number from 0 to 20');
        }
        return $value;
    }
}
