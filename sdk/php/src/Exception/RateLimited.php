<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * Too many requests (429), also after all retries. Nothing was stored. Send the same request again
 * after retryAfter(). If a lookup throws this, it says nothing about the purchase.
 */
final class RateLimited extends RequestRefused
{
}
