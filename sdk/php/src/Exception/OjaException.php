<?php

declare(strict_types=1);

namespace Oja\Exception;

/** What every exception of the client is. None of them holds the secret, or what was sent. */
abstract class OjaException extends \RuntimeException
{
    public function __construct(
        string $message,
        /** The reference of the purchase that it is about; null: of none. */
        public readonly ?string $reference = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
