<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * The gateway cannot serve this now (502, 503), also after all retries. Nothing was stored. Send
 * the same again later, under the same reference, after retryAfter(). Thrown by a look-up, it says
 * nothing of the purchase that was looked for.
 */
final class Unavailable extends RequestRefused
{
}
