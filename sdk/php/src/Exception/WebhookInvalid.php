<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * A webhook is not what the gateway sent, or is old. Answer it with 400 and do nothing.
 */
final class WebhookInvalid extends OjaException
{
}
