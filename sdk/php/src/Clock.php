<?php

declare(strict_types=1);

namespace Oja;

/** Passing time. Tests replace it so that they need not wait. */
class Clock
{
    /** Seconds of a monotonic clock. */
    public function elapsed(): float
    {
        return hrtime(true) / 1e9;
    }

    /** Seconds of the wall clock. */
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
