<?php

declare(strict_types=1);

namespace Oja\Exception;

/** The client or a secret is configured incorrectly. Nothing was sent. Correct the settings. */
final class ConfigurationInvalid extends OjaException
{
}
