<?php

declare(strict_types=1);

namespace Oja\Resource;

/** What can be bought, and for how much. */
final class Plans extends Resource
{
    /** @return array<string, mixed> the plans of mtn, glo, airtel or 9mobile */
    public function data(string $network): array
    {
        return $this->caller->get('/v1/plans/' . self::segment($network));
    }

    /**
     * @param array<string, mixed> $query network
     * @return array<string, mixed> the plans of electricity, cable, betting or education
     */
    public function bills(string $product, array $query = []): array
    {
        return $this->caller->get('/v1/plans/bills/' . self::segment($product), $query);
    }
}
