<?php

declare(strict_types=1);

namespace Oja\Resource;

use Oja\Outcome;

/** Airtime of the four networks. */
final class Airtime extends Resource
{
    /**
     * @param array<string, mixed> $purchase msisdn, network, amount; request_ref is created if
     * absent
     */
    public function buySync(array $purchase): Outcome
    {
        return $this->buy('/v1/transactions/airtime/sync', $purchase);
    }

    /** Answers at once, usually with pending. @param array<string, mixed> $purchase */
    public function buyAsync(array $purchase): Outcome
    {
        return $this->buy('/v1/transactions/airtime/async', $purchase);
    }
}
