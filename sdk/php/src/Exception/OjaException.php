<?php

declare(strict_types=1);

namespace Oja\Exception;

/** The base of all exceptions of the client. They never contain the secret or the request. */
abstract class OjaException extends \RuntimeException
{
    public function __construct(
        string $message,
        /** The reference of the purchase concerned. Null: no purchase is concerned. */
        public readonly ?string $reference = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
