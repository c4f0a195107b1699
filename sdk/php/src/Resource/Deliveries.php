<?php

declare(strict_types=1);

namespace Oja\Resource;

/** The deliveries of each event to each endpoint. */
final class Deliveries extends Resource
{
    private const PATH = '/v1/webhooks/deliveries';

    /**
     * All deliveries of the last 30 days, newest first.
     *
     * @param array<string, mixed> $query endpoint, state, limit
     * @return \Generator<int, array<string, mixed>>
     */
    public function list(array $query = []): \Generator
    {
        return $this->pages(self::PATH, $query, static fn (array $answer): array => [
            $answer['data'] ?? [],
            $answer['cursor'] ?? null,
        ]);
    }

    /** @return array<string, mixed> */
    public function replay(string $id): array
    {
        return $this->caller->change('POST', self::PATH . '/' . self::segment($id) . '/replay');
    }
}
