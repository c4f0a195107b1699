<?php

declare(strict_types=1);

namespace Oja\Exception;

/**
 * The client or a secret is set up wrongly. Nothing was sent. Correct the settings.
 */
final class ConfigurationInvalid extends OjaException
{
}
