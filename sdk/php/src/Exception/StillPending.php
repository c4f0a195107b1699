<?php

declare(strict_types=1);

namespace Oja\Exception;

use Oja\Outcome;

/** The purchase was not final in the time that was given. It goes on: ask again later. */
final class StillPending extends OjaException
{
    public function __construct(public readonly Outcome $outcome, ?\Throwable $previous = null)
    {
        parent::__construct("The purchase $outcome->reference is still pending", $outcome->reference, $previous);
    }
}
