<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * No answer came. If a purchase throws this, it was not made, because its request was not sent. If
 * a lookup throws this, it says nothing about the purchase. Try again.
 */
final class ConnectionFailed extends OjaException
{
}
