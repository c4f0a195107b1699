<?php

declare(strict_types=1);

namespace Oja\Http;

/** The knowledge about a purchase that was sent without receiving its outcome. */
enum Verdict
{
    /** It may be stored: query its status. */
    case Doubt;
    /** It was not stored and may be sent again. */
    case NotStored;
    /** It was not stored, and would be refused again. */
    case Refused;
    /** Its reference is already used. */
    case Stored;
}
