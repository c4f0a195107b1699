<?php

declare(strict_types=1);

namespace Oja\Resource;

/** Purchases in bulk, from one file. */
final class Batches extends Resource
{
    private const PATH = '/v1/batches';

    /**
     * Validates every row and buys nothing. The same file returns the same batch.
     *
     * @param array<string, mixed> $batch csv, name
     * @return array<string, mixed>
     */
    public function create(array $batch): array
    {
        return $this->caller->change('POST', self::PATH, $batch);
    }

    /**
     * Newest first.
     *
     * @param array<string, mixed> $query limit
     * @return \Generator<int, array<string, mixed>>
     */
    public function list(array $query = []): \Generator
    {
        return $this->pages(self::PATH, $query, static fn (array $answer): array => [
            $answer['data']['batches'] ?? [],
            $answer['data']['next_cursor'] ?? null,
        ]);
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->caller->get(self::PATH . '/' . self::segment($id));
    }

    /**
     * Starts, pauses, resumes or stops a batch.
     *
     * @param array<string, mixed> $change state, allow_duplicates
     * @return array<string, mixed>
     */
    public function change(string $id, array $change): array
    {
        return $this->caller->change('PATCH', self::PATH . '/' . self::segment($id), $change);
    }

    /**
     * The rows in file order, each with the outcome of its purchase.
     *
     * @param array<string, mixed> $query limit
     * @return \Generator<int, array<string, mixed>>
     */
    public function rows(string $id, array $query = []): \Generator
    {
        $path = self::PATH . '/' . self::segment($id) . '/rows';

        return $this->pages($path, $query, static fn (array $answer): array => [
            $answer['data']['rows'] ?? [],
            $answer['data']['next_cursor'] ?? null,
        ]);
    }
}
