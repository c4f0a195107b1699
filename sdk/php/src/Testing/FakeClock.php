<?php

declare(strict_types=1);

namespace Oja\Testing;

use Oja\Clock;

/** A clock that advances only when the program sleeps. */
final class FakeClock extends Clock
{
    /** @var list<float> the length of each pause */
    public array $pauses = [];
    private float $seconds = 0.0;

    public function elapsed(): float
    {
        return $this->seconds;
    }

    public function sleep(float $seconds): void
    {
        $this->pauses[] = $seconds;
        $this->seconds += $seconds;
    }
}
