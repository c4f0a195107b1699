<?php

declare(strict_types=1);

namespace Oja;

/**
 * Holds a secret and keeps it out of every dump: var_dump, var_export, casts, logs and stack
 * traces.
 */
final class Secret
{
    /** @var \WeakMap<self, string>|null */
    private static ?\WeakMap $values = null;

    public function __construct(#[\SensitiveParameter] string $value)
    {
        self::$values ??= new \WeakMap();
        self::$values[$this] = $value;
    }

    public function reveal(): string
    {
        return self::$values[$this] ?? throw new \LogicException('A secret cannot be copied');
    }

    public function __serialize(): array
    {
        throw new \LogicException('A secret cannot be serialized');
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['value' => '(hidden)'];
    }
}
