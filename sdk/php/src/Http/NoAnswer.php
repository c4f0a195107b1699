<?php

declare(strict_types=1);

namespace Oja\Http;

/** No complete answer came. Internal to the client, which decides the consequence. */
final class NoAnswer extends \RuntimeException
{
    public function __construct(
        string $message,
        /** The request was certainly not sent. */
        public readonly bool $wasNotSent = false,
        /** Trying again would fail the same way, for example with a wrong certificate. */
        public readonly bool $isLasting = false,
        /** An answer came, but it is unusable. */
        public readonly bool $isUnreadable = false,
    ) {
        parent::__construct($message);
    }
}
