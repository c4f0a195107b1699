<?php

declare(strict_types=1);

namespace Oja\Resource;

use Oja\Exception\ConnectionFailed;
use Oja\Exception\OjaException;
use Oja\Exception\OutcomeUnknown;
use Oja\Exception\RateLimited;
use Oja\Exception\ServerFault;
use Oja\Exception\StillPending;
use Oja\Exception\Unavailable;
use Oja\Exception\UnexpectedAnswer;
use Oja\Http\Buying;
use Oja\Outcome;

/** Purchases of any product: buys bills, and looks up all purchases. */
final class Purchases extends Resource
{
    /** How long to wait between two queries: at first, after three seconds, and after a minute. */
    private const PAUSES = [[3, 0.5], [60, 2.0], [\PHP_INT_MAX, 10.0]];
    /** Seconds that the last query may take, even if the deadline has passed. */
    private const LAST_QUESTION = 1.0;

    /** @param array<string, mixed> $purchase product, network, msisdn, plan_code, amount, phone */
    public function create(array $purchase): Outcome
    {
        return $this->buy('/v1/transactions', $purchase);
    }

    public function status(string $reference): Outcome
    {
        return $this->lookUp($reference, null);
    }

    /**
     * Queries until the purchase has succeeded or failed, also while the gateway is unavailable.
     *
     * @throws StillPending when it is not final within this time; it continues anyway
     * @throws OutcomeUnknown when only its reference is known, and no query was answered
     */
    public function waitUntilFinal(Outcome|string $purchase, float $seconds = 120): Outcome
    {
        $clock = $this->caller->clock;
        $startedAt = $clock->elapsed();
        [$outcome, $reference, $orderPath] = $purchase instanceof Outcome
            ? [$purchase, $purchase->reference, $purchase->orderPath]
            : [null, $purchase, null];
        $isAsked = $outcome !== null;
        $failure = null;
        while ($outcome === null || !$outcome->isFinal()) {
            $elapsed = $clock->elapsed() - $startedAt;
            if ($isAsked && $elapsed >= $seconds) {
                throw $outcome === null ? new OutcomeUnknown($reference, $failure) : new StillPending($outcome, $failure);
            }
            if ($isAsked) {
                $clock->sleep(min(self::pauseAfter($elapsed), $seconds - $elapsed));
            }
            $isAsked = true;
            try {
                $left = max(self::LAST_QUESTION, $seconds - ($clock->elapsed() - $startedAt));
                $outcome = $this->lookUp($reference, $orderPath, $left);
                $failure = null;
            } catch (OjaException $failure) {
                if (!self::mayPass($failure)) {
                    throw $failure;
                }
            }
        }
        return $outcome;
    }

    private static function mayPass(OjaException $failure): bool
    {
        return $failure instanceof ConnectionFailed
            || $failure instanceof Unavailable
            || $failure instanceof RateLimited
            || $failure instanceof ServerFault
            || ($failure instanceof UnexpectedAnswer && $failure->status >= 500);
    }

    /**
     * All purchases, newest first. For one page with its totals, use `page`.
     *
     * @param array<string, mixed> $query limit, msisdn, network, status, cursor
     * @return \Generator<int, array<string, mixed>>
     */
    public function list(array $query = []): \Generator
    {
        return $this->pages('/v1/transactions', $query, static fn (array $answer): array => [
            $answer['result']['items'] ?? [],
            $answer['result']['page_info']['next_cursor'] ?? null,
        ]);
    }

    /**
     * @param array<string, mixed> $query
     * @return array<string, mixed>
     */
    public function page(array $query = []): array
    {
        return $this->caller->get('/v1/transactions', $query);
    }

    /**
     * Looks up the customer of a bill. Buys nothing.
     *
     * @param array<string, mixed> $customer product, network, msisdn, plan_code
     * @return array<string, mixed>
     */
    public function verify(array $customer): array
    {
        $customer += isset($customer['merchant_code']) ? [] : ['merchant' => $this->caller->config->merchant];
        return $this->caller->ask('/v1/transactions/verify', $customer);
    }

    /** @param float|null $within seconds for all repetitions */
    private function lookUp(string $reference, ?string $orderPath, ?float $within = null): Outcome
    {
        $answer = $this->caller->get(Buying::lookUpPath($reference, $orderPath), within: $within);
        return Outcome::from($answer, $reference, $orderPath)
            ?? throw new UnexpectedAnswer('The answer is no status of a purchase', 200, $reference);
    }

    private static function pauseAfter(float $elapsed): float
    {
        foreach (self::PAUSES as [$until, $pause]) {
            if ($elapsed < $until) {
                break;
            }
        }
        return $pause;
    }
}
