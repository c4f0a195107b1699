<?php

declare(strict_types=1);

namespace Oja\Resource;

use Oja\Outcome;

/** Vouchers, which are redeemed for eSIMs. */
final class Vouchers extends Resource
{
    /** @param array<string, mixed> $voucher code, plan; request_id is created if absent */
    public function redeem(#[\SensitiveParameter] array $voucher): Outcome
    {
        return $this->orderAt('/v1/giftcards/redeem', $voucher + ['product' => 'ESIM'], Esims::ORDERS);
    }
}
