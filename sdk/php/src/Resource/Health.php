<?php

declare(strict_types=1);

namespace Oja\Resource;

use Oja\Http\Caller;
use Oja\Http\NoAnswer;
use Oja\Http\Request;

/**
 * The health of the gateway. Each check is sent once, because an unhealthy result is an answer too.
 */
final class Health extends Resource
{
    /** @return array<string, mixed> */
    public function get(): array
    {
        return $this->once('/v1/healthz');
    }

    /** @return array<string, mixed> */
    public function ready(): array
    {
        return $this->once('/readyz');
    }

    /** @return array<string, mixed> */
    private function once(string $path): array
    {
        try {
            return Caller::read($this->caller->transport->send(new Request('GET', $path, null, 10.0)));
        } catch (NoAnswer $noAnswer) {
            throw Caller::withoutAnswer($noAnswer);
        }
    }
}
