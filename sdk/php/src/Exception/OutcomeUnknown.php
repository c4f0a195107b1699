<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * It is unknown whether the purchase was made. Do not buy again under another reference. Query the
 * status of `reference` later, or send the same purchase again under it.
 */
final class OutcomeUnknown extends OjaException
{
    public function __construct(string $reference, ?\Throwable $previous = null)
    {
        parent::__construct(
            "It is not known whether the purchase $reference was made: ask for its status later",
            $reference,
            $previous,
        );
    }
}
