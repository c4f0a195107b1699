<?php

declare(strict_types=1);

namespace Oja\Http;

/** How long to wait before a request is sent again. */
final class Backoff
{
    private const FIRST = 0.5;
    private const MOST = 8.0;

    /**
     * The wait grows with each attempt, and is never shorter than the gateway requests. A part of
     * it is random, so that clients which failed together do not return together.
     */
    public static function seconds(int $tries, ?float $retryAfter): float
    {
        $chance = random_int(0, 1000) / 1000;
        $own = min(self::MOST, self::FIRST * 2 ** max(0, min(10, $tries - 1))) * (0.5 + $chance / 2);
        return $retryAfter === null ? $own : max($own, $retryAfter + min(1.0, $retryAfter * 0.2) * $chance);
    }
}
