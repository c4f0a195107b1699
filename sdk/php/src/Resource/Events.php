<?php

declare(strict_types=1);

namespace Oja\Resource;

/** The event feed, for programs that cannot receive webhooks. */
final class Events extends Resource
{
    private const WAIT_MAX = 25;

    /**
     * All events up to now, oldest first. The generator returns the cursor of the end.
     *
     * @param array<string, mixed> $query after, types, limit
     * @return \Generator<int, array<string, mixed>, mixed, string>
     */
    public function list(array $query = []): \Generator
    {
        do {
            $page = $this->page(['wait' => 0] + $query);
            foreach ($page['data'] ?? [] as $event) {
                yield $event;
            }
            $query['after'] = $page['cursor'] ?? null;
        } while (($page['has_more'] ?? false) === true);
        return (string) $query['after'];
    }

    /**
     * One page: `data`, `cursor`, `has_more`.
     *
     * @param array<string, mixed> $query after, types, limit, wait
     * @return array<string, mixed>
     */
    public function page(array $query = []): array
    {
        $wait = is_numeric($query['wait'] ?? null) ? (float) $query['wait'] : self::WAIT_MAX;
        return $this->caller->get('/v1/events', $query, $this->caller->config->timeout + min($wait, self::WAIT_MAX));
    }

    /**
     * Waits for events endlessly. Each step yields a list of events; its key is the cursor. Store
     * the cursor together with your results, in one transaction.
     *
     * @param array<string, mixed> $query types, limit
     * @return \Generator<string, list<array<string, mixed>>>
     */
    public function follow(?string $after, array $query = []): \Generator
    {
        for (;;) {
            $page = $this->page(['after' => $after] + $query);
            $after = (string) ($page['cursor'] ?? $after);
            yield $after => $page['data'] ?? [];
        }
    }
}
