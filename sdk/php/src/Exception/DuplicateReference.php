<?php

declare(strict_types=1);

namespace Oja\Exception;

use Oja\Outcome;

/**
 * The reference was used before (422). Nothing was stored now. `outcome` is the outcome of the
 * first purchase: continue with it, and do not send again. If `differs` is true, the first purchase
 * is a different one, and this purchase was not made.
 */
final class DuplicateReference extends OjaException
{
    public function __construct(
        string $message,
        public readonly Outcome $outcome,
        /** Whether the reference belongs to a different purchase. Null: unknown. */
        public readonly ?bool $differs = null,
    ) {
        parent::__construct($message, $outcome->reference);
    }
}
