<?php

declare(strict_types=1);

namespace Oja\Http;

/** No whole answer came. It stays inside the client, which decides what that means. */
final class NoAnswer extends \RuntimeException
{
    public function __construct(
        string $message,
        /** The request certainly did not leave. */
        public readonly bool $wasNotSent = false,
        /** Trying again would end the same, such as with a wrong certificate. */
        public readonly bool $isLasting = false,
        /** Something answered, and its answer is of no use. */
        public readonly bool $isUnreadable = false,
    ) {
        parent::__construct($message);
    }
}
