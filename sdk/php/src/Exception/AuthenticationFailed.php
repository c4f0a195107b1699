<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * The key or the secret is wrong (401). Nothing was stored. Check the credentials.
 */
final class AuthenticationFailed extends RequestRefused
{
}
