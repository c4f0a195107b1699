<?php

declare(strict_types=1);

namespace Oja;

/**
 * References of purchases. Each is created once, is kept over all retries, and identifies one
 * purchase for ever.
 */
final class Reference
{
    /**
     * A UUID of version 7: it begins with the time in milliseconds, and 74 of its bits are random.
     * It has 36 characters, which every product accepts.
     */
    public static function create(): string
    {
        $ms = (int) (microtime(true) * 1000);
        $bytes = substr(pack('J', $ms), 2) . random_bytes(10);
        $bytes[6] = chr((ord($bytes[6]) & 0x0f) | 0x70);
        $bytes[8] = chr((ord($bytes[8]) & 0x3f) | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
