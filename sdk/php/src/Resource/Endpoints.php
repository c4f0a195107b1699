<?php

declare(strict_types=1);

namespace Oja\Resource;

/** The URLs that are called when something happens. */
final class Endpoints extends Resource
{
    private const PATH = '/v1/webhooks/endpoints';

    /**
     * The answer's `data` contains the secret, only this time.
     *
     * @param array<string, mixed> $endpoint url, events, description, include_goods
     * @return array<string, mixed>
     */
    public function create(array $endpoint): array
    {
        return $this->caller->change('POST', self::PATH, $endpoint);
    }

    /** @return array<string, mixed> */
    public function list(): array
    {
        return $this->caller->get(self::PATH);
    }

    /**
     * @param array<string, mixed> $change url, events, description, include_goods, state
     * @return array<string, mixed>
     */
    public function change(string $id, array $change): array
    {
        return $this->caller->change('PATCH', self::PATH . '/' . self::segment($id), $change);
    }

    /** @return array<string, mixed> */
    public function delete(string $id): array
    {
        return $this->caller->change('DELETE', self::PATH . '/' . self::segment($id));
    }

    /**
     * @param array<string, mixed> $options overlap_s
     * @return array<string, mixed>
     */
    public function rotate(string $id, array $options = []): array
    {
        return $this->caller->change('POST', self::PATH . '/' . self::segment($id) . '/rotate', $options);
    }

    /** @return array<string, mixed> */
    public function test(string $id): array
    {
        return $this->caller->change('POST', self::PATH . '/' . self::segment($id) . '/test');
    }

    /**
     * @param array<string, mixed> $range from, to, state
     * @return array<string, mixed>
     */
    public function replay(string $id, array $range): array
    {
        return $this->caller->change('POST', self::PATH . '/' . self::segment($id) . '/replay', $range);
    }
}
