<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * What answered is not the gateway, or not as it should: no JSON, a redirect, more than 10 MB. For
 * purchases this is told as OutcomeUnknown, with this as its cause. Check OJA_URL and what is
 * between.
 */
final class UnexpectedAnswer extends OjaException
{
    public function __construct(string $message, public readonly ?int $status = null, ?string $reference = null)
    {
        parent::__construct($message, $reference);
    }
}
