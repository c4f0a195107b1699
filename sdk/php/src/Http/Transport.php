<?php

declare(strict_types=1);

namespace Oja\Http;

/** Sends one request once. */
interface Transport
{
    /** @throws NoAnswer */
    public function send(Request $request): Answer;
}
