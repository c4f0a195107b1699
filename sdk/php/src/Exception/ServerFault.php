<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * The gateway failed at a request that buys nothing (500), also after all retries. It
 * says nothing of the purchase that was looked for. Try again later.
 */
final class ServerFault extends RequestRefused
{
}
