<?php

declare(strict_types=1);

namespace Oja\Exception;

/** There is no such purchase, plan, wallet or path (404). Check the request. */
final class NotFound extends RequestRefused
{
}
