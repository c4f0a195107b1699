<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * Too many requests (429), also after all retries. Nothing was stored. Send the same again after
 * retryAfter(). Thrown by a look-up, it says nothing of the purchase that was looked for.
 */
final class RateLimited extends RequestRefused
{
}
