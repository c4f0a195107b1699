<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * The gateway cannot serve this now (502, 503), also after all retries. Nothing was stored. Send
 * the same request again under the same reference after retryAfter(). If a lookup throws this, it
 * says nothing about the purchase.
 */
final class Unavailable extends RequestRefused
{
}
