<?php

declare(strict_types=1);

namespace Oja\Testing;

use Oja\Clock;

/** Time that passes when somebody sleeps, and not else. */
final class FakeClock extends Clock
{
    /** @var list<float> how long each pause was */
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
