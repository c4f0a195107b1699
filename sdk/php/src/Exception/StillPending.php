<?php

declare(strict_types=1);

namespace Oja\Exception;

use Oja\Outcome;

/** The purchase was not final within the given time. It continues: query it again later. */
final class StillPending extends OjaException
{
    public function __construct(public readonly Outcome $outcome, ?\Throwable $previous = null)
    {
        parent::__construct("The purchase $outcome->reference is still pending", $outcome->reference, $previous);
    }
}
