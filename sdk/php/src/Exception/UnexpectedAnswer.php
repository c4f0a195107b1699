<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * The answer is not from the gateway or is malformed: no JSON, a redirect, more than 10 MB. For
 * purchases it is the cause of an OutcomeUnknown. Check OJA_URL and any proxy in between.
 */
final class UnexpectedAnswer extends OjaException
{
    public function __construct(string $message, public readonly ?int $status = null, ?string $reference = null)
    {
        parent::__construct($message, $reference);
    }
}
