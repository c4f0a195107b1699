<?php

declare(strict_types=1);

namespace Oja;

/** Time as it passes. Tests put another in its place, so that nobody waits. */
class Clock
{
    /** Seconds that only grow. */
    public function elapsed(): float
    {
        return hrtime(true) / 1e9;
    }

    /** The seconds of the calendar. */
    public function now(): int
    {
        return time();
    }

    public function sleep(float $seconds): void
    {
        if ($seconds > 0) {
            usleep((int) ($seconds * 1e6));
        }
    }
}
