<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * Something in the request is wrong or missing (400, 405, 422). Nothing was stored. Correct what
 * errors() names.
 */
final class InvalidRequest extends RequestRefused
{
}
