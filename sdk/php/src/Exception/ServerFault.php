<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * The gateway failed on a request that buys nothing (500), also after all retries. This says
 * nothing about the purchase that was looked up. Try again later.
 */
final class ServerFault extends RequestRefused
{
}
