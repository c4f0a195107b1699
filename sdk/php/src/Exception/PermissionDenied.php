<?php

declare(strict_types=1);

namespace Oja\Exception;

/** The credentials do not permit this (403). Nothing was stored. Ask your account manager. */
final class PermissionDenied extends RequestRefused
{
}
