<?php

declare(strict_types=1);

namespace Oja\Resource;

use Oja\Http\Buyer;
use Oja\Http\Buying;
use Oja\Http\Caller;
use Oja\Outcome;

/** The shared base of the client's resources. Their answers are those of the API, as arrays. */
abstract class Resource
{
    public function __construct(protected readonly Caller $caller)
    {
    }

    /** @param array<string, mixed> $body */
    protected function buy(string $path, #[\SensitiveParameter] array $body): Outcome
    {
        return (new Buyer($this->caller))->buy(Buying::purchase($path, $body, $this->caller->config->merchant));
    }

    /** @param array<string, mixed> $body */
    protected function orderAt(string $path, #[\SensitiveParameter] array $body, string $orderPath): Outcome
    {
        return (new Buyer($this->caller))->buy(Buying::order($path, $body, $orderPath));
    }

    /** Encodes a value of the caller for use in a path. */
    protected static function segment(string|int $name): string
    {
        if ($name === '') {
            throw new \InvalidArgumentException('An id or a name must not be empty');
        }
        return rawurlencode((string) $name);
    }

    /**
     * All items of a list, page by page: the next page is read when the previous one is used up.
     *
     * @param array<string, mixed> $query
     * @param \Closure(array<string, mixed>): array{list<array<string, mixed>>, ?string} $read the
     * items of a page, and the position of the next page
     * @return \Generator<int, array<string, mixed>>
     */
    protected function pages(string $path, array $query, \Closure $read): \Generator
    {
        do {
            [$items, $cursor] = $read($this->caller->get($path, $query));
            foreach ($items as $item) {
                yield $item;
            }
            unset($query['page']);
            $query['cursor'] = $cursor;
        } while ($cursor !== null);
    }
}
