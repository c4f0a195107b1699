<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * A field of the request is wrong or missing (400, 405, 422). Nothing was stored. Correct the
 * fields in errors().
 */
final class InvalidRequest extends RequestRefused
{
}
