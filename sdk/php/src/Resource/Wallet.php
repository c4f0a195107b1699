<?php

declare(strict_types=1);

namespace Oja\Resource;

/** The money that purchases are paid from. */
final class Wallet extends Resource
{
    private const FUNDING = '/v1/wallet/funding-account';

    /**
     * @param array<string, mixed> $query currency
     * @return array<string, mixed>
     */
    public function balance(array $query = []): array
    {
        return $this->caller->get('/v1/wallet/balance', $query);
    }

    /** @return array<string, mixed> */
    public function mtnBalance(): array
    {
        return $this->caller->get('/v1/wallet/mtn/balance');
    }

    /**
     * All lines of a period, oldest first. For the balances before and after, use `statementPage`.
     *
     * @param array<string, mixed> $query from, to, currency, limit
     * @return \Generator<int, array<string, mixed>>
     */
    public function statement(array $query = []): \Generator
    {
        return $this->pages('/v1/wallet/statement', ['format' => 'json'] + $query, static fn (array $answer): array => [
            $answer['result']['items'] ?? [],
            $answer['result']['next_cursor'] ?? null,
        ]);
    }

    /**
     * @param array<string, mixed> $query
     * @return array<string, mixed>
     */
    public function statementPage(array $query = []): array
    {
        return $this->caller->get('/v1/wallet/statement', ['format' => 'json'] + $query);
    }

    /**
     * @param array<string, mixed> $query currency
     * @return array<string, mixed>
     */
    public function fundingAccount(array $query = []): array
    {
        return $this->caller->get(self::FUNDING, $query);
    }

    /**
     * Opens the funding account, or returns the existing one. `id_card` is a \CURLFile.
     *
     * @param array<string, mixed> $registration currency, bvn, email, first_name, last_name,
     * phone_number
     * @return array<string, mixed>
     */
    public function createFundingAccount(#[\SensitiveParameter] array $registration): array
    {
        return $this->caller->change('POST', self::FUNDING, $registration);
    }
}
