<?php

declare(strict_types=1);

namespace Oja\Resource;

use Oja\Outcome;

/** Mobile data, by the plans of a network. */
final class Data extends Resource
{
    /** @param array<string, mixed> $purchase msisdn, network, plan_code, amount (the price of the plan) */
    public function buySync(array $purchase): Outcome
    {
        return $this->buy('/v1/transactions/data/sync', $purchase);
    }

    /** Answers at once, usually with pending. @param array<string, mixed> $purchase */
    public function buyAsync(array $purchase): Outcome
    {
        return $this->buy('/v1/transactions/data/async', $purchase);
    }
}
