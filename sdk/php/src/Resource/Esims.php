<?php

declare(strict_types=1);

namespace Oja\Resource;

use Oja\Exception\UnexpectedAnswer;
use Oja\Outcome;

/** Travel eSIMs. An order is pending at first: look it up until it is final. */
final class Esims extends Resource
{
    public const ORDERS = '/v1/esim/orders';

    /**
     * @param array<string, mixed> $query country, region, search
     * @return array<string, mixed>
     */
    public function catalog(array $query = []): array
    {
        return $this->caller->get('/v1/esim/catalog', $query);
    }

    /** @return array<string, mixed> */
    public function get(string $planId): array
    {
        return $this->caller->get('/v1/esim/plans/' . self::segment($planId));
    }

    /** @return array<string, mixed> */
    public function quote(string $planId): array
    {
        return $this->caller->get('/v1/esim/plans/' . self::segment($planId) . '/quote');
    }

    /** @param array<string, mixed> $order plan_id; request_id is created if absent */
    public function order(array $order): Outcome
    {
        return $this->orderAt(self::ORDERS, $order, self::ORDERS);
    }

    public function getOrder(string $requestId): Outcome
    {
        $answer = $this->caller->get(self::ORDERS . '/' . self::segment($requestId));
        return Outcome::from($answer, $requestId, self::ORDERS)
            ?? throw new UnexpectedAnswer('The answer is no order', 200, $requestId);
    }

    /** The bytes of a PNG. NotFound while the order is pending. */
    public function qrCode(string $requestId): string
    {
        $answer = $this->caller->raw(self::ORDERS . '/' . self::segment($requestId) . '/qrcode');
        if (!str_starts_with($answer->body, "\x89PNG")) {
            throw new UnexpectedAnswer('The answer is no picture', $answer->status, $requestId);
        }
        return $answer->body;
    }
}
