<?php

declare(strict_types=1);

namespace Oja\Exception;

/** A webhook that the gateway did not send, or an old one. Answer it with 400 and do nothing. */
final class WebhookInvalid extends OjaException
{
}
