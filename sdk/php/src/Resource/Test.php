<?php

declare(strict_types=1);

namespace Oja\Resource;

/** What only test credentials can do. */
final class Test extends Resource
{
    /** @return array<string, mixed> pending test purchases and webhooks go ahead by so many seconds */
    public function advanceClock(int $seconds): array
    {
        return $this->caller->change('POST', '/v1/test/clock', ['advance_s' => $seconds]);
    }

    /**
     * Plays a customer's transfer.
     *
     * @param array<string, mixed> $deposit amount
     * @return array<string, mixed>
     */
    public function createDeposit(array $deposit): array
    {
        return $this->caller->change('POST', '/v1/test/deposits', $deposit);
    }
}
