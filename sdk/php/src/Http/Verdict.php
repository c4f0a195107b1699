<?php

declare(strict_types=1);

namespace Oja\Http;

/** What is known of a purchase after it was sent, where its outcome did not come. */
enum Verdict
{
    /** It may be stored: ask. */
    case Doubt;
    /** It is not: the same may be sent again. */
    case NotStored;
    /** It is not, and the same would be refused again. */
    case Refused;
    /** Its reference is taken. */
    case Stored;
}
