<?php

declare(strict_types=1);

namespace Oja\Resource;

/** Tools of test credentials. */
final class Test extends Resource
{
    /**
     * @return array<string, mixed> moves pending test purchases and webhooks ahead by the given
     * seconds
     */
    public function advanceClock(int $seconds): array
    {
        return $this->caller->change('POST', '/v1/test/clock', ['advance_s' => $seconds]);
    }

    /**
     * Simulates a customer's transfer.
     *
     * @param array<string, mixed> $deposit amount
     * @return array<string, mixed>
     */
    public function createDeposit(array $deposit): array
    {
        return $this->caller->change('POST', '/v1/test/deposits', $deposit);
    }
}
