<?php

declare(strict_types=1);

namespace Oja\Resource;

use Oja\Exception\UnexpectedAnswer;
use Oja\Outcome;

/** Gift cards: found, priced, ordered, and looked up until the cards are there. */
final class GiftCards extends Resource
{
    private const ORDERS = '/v1/giftcards/orders';

    /**
     * @param array<string, mixed> $query search, brand, currency, category, featured
     * @return array<string, mixed>
     */
    public function catalog(array $query = []): array
    {
        return $this->caller->get('/v1/giftcards/catalog', $query);
    }

    /**
     * @param array<string, mixed> $query face_value
     * @return array<string, mixed>
     */
    public function quote(int $planId, array $query = []): array
    {
        return $this->caller->get("/v1/giftcards/plans/$planId/quote", $query);
    }

    /**
     * @param array<string, mixed> $wanted plan_id, face_value
     * @return array<string, mixed>
     */
    public function quoteByBody(array $wanted): array
    {
        return $this->caller->ask('/v1/giftcards/quote', $wanted);
    }

    /**
     * @param array<string, mixed> $query quantity, face_value
     * @return array<string, mixed>
     */
    public function availability(int $planId, array $query = []): array
    {
        return $this->caller->get("/v1/giftcards/plans/$planId/availability", $query);
    }

    /**
     * @param array<string, mixed> $order plan_id, quantity, send_via, destination; request_id is
     * created if absent
     */
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
}
