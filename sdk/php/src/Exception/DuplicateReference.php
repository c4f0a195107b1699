<?php

declare(strict_types=1);

namespace Oja\Exception;

use Oja\Outcome;

/**
 * The reference was used before (422). Nothing was stored now. `outcome` is what became of the
 * first purchase: go on from there, and do not send again. Where `differs` is true that is another
 * purchase, and what was asked for now was not bought.
 */
final class DuplicateReference extends OjaException
{
    public function __construct(
        string $message,
        public readonly Outcome $outcome,
        /** Whether the reference is of another purchase; null: nobody can say. */
        public readonly ?bool $differs = null,
    ) {
        parent::__construct($message, $outcome->reference);
    }
}
