<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * No answer came. Thrown by a purchase: it was not made, since its request did not leave this
 * machine. Thrown by a look-up: it says nothing of the purchase that was looked for. Try again.
 */
final class ConnectionFailed extends OjaException
{
}
