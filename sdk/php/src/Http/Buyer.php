<?php

declare(strict_types=1);

namespace Oja\Http;

use Oja\Exception\DuplicateReference;
use Oja\Exception\OjaException;
use Oja\Exception\OutcomeUnknown;
use Oja\Exception\RequestRefused;
use Oja\Outcome;

/**
 * Sends purchases.
 *
 * Guarantees: everything that is sent for one call has the same reference, so it is one purchase at
 * most. A purchase is sent again only if it was certainly not stored: the gateway said so (503,
 * 502, 429, 408), the request was never sent, or the gateway does not know its status. After a lost
 * answer or a 500 the status is queried first. A purchase that is reported as refused was not made.
 * If that is not certain, OutcomeUnknown is thrown.
 */
final class Buyer
{
    /** Seconds for a query of the status. One query is sent even if the deadline has passed. */
    private const QUESTION = 15.0;

    public function __construct(private readonly Caller $caller)
    {
    }

    public function buy(Buying $buying): Outcome
    {
        $clock = $this->caller->clock;
        $endsAt = $clock->elapsed() + $this->caller->config->deadline;
        $inDoubt = false;
        for ($sends = 1; ; $sends++) {
            $sent = $this->send($buying, $endsAt);
            if ($sent instanceof Outcome) {
                return $sent;
            }
            [$verdict, $failure, $retryAfter] = $sent;
            if ($verdict === Verdict::Stored) {
                return $this->stored($buying, $failure, $endsAt, $inDoubt);
            }
            if ($verdict === Verdict::Doubt) {
                $inDoubt = true;
                $found = $this->lookUp($buying, $endsAt, $failure);
                if ($found !== null) {
                    return $found;
                }
            }
            $pause = Backoff::seconds($sends, $retryAfter);
            $isOver = $sends > $this->caller->config->retries || $clock->elapsed() + $pause >= $endsAt;
            if ($verdict === Verdict::Refused || $isOver) {
                // An earlier request may still arrive.
                throw $inDoubt ? new OutcomeUnknown($buying->reference, $failure) : $failure;
            }
            $clock->sleep($pause);
        }
    }

    /** @return Outcome|array{Verdict, OjaException, ?float} */
    private function send(Buying $buying, float $endsAt): Outcome|array
    {
        $left = max(1.0, $endsAt - $this->caller->clock->elapsed());
        $timeout = min($this->caller->config->timeout, $left);
        try {
            $answer = $this->caller->transport->send(new Request('POST', $buying->path, $buying->body, $timeout));
        } catch (NoAnswer $noAnswer) {
            $failure = Caller::withoutAnswer($noAnswer, $buying->reference);
            $verdict = match (true) {
                !$noAnswer->wasNotSent => Verdict::Doubt,
                $noAnswer->isLasting => Verdict::Refused,
                default => Verdict::NotStored,
            };
            return [$verdict, $failure, null];
        }
        if ($answer->status === 200) {
            $outcome = Outcome::from($answer->json() ?? [], $buying->reference, $buying->orderPath);
            return $outcome ?? [Verdict::Doubt, Caller::failure($answer, $buying->reference), null];
        }
        return [self::judge($answer), Caller::failure($answer, $buying->reference), $answer->retryAfter()];
    }

    /** Decides from an answer other than an outcome whether the purchase was stored. */
    private static function judge(Answer $answer): Verdict
    {
        if (!$answer->isRefusal()) {
            // The gateway never redirects, so a proxy answered.
            return $answer->status >= 300 && $answer->status < 400 ? Verdict::Refused : Verdict::Doubt;
        }
        $isStored = $answer->status === 422 && is_array($answer->json()['data'] ?? null);
        return match (true) {
            $isStored => Verdict::Stored,
            in_array($answer->status, [408, 429, 502, 503], true) => Verdict::NotStored,
            $answer->status >= 500 => Verdict::Doubt,
            default => Verdict::Refused,
        };
    }

    /**
     * The reference is already used. If it was created here, or was sent before with an unknown
     * result, it belongs to this call. Otherwise it belongs to an earlier request, and the shop
     * must decide.
     */
    private function stored(Buying $buying, OjaException $refusal, float $endsAt, bool $inDoubt): Outcome
    {
        $data = $refusal instanceof RequestRefused ? $refusal->data : [];
        $known = new Outcome(
            in_array($data['status'] ?? null, ['success', 'failed'], true) ? $data['status'] : 'pending',
            '',
            $buying->reference,
            $data,
            $buying->orderPath,
        );
        $isOurs = ($inDoubt || $buying->isOwnReference) && ($data['differs'] ?? false) !== true;
        if (!$isOurs) {
            $differs = $data['differs'] ?? null;
            throw new DuplicateReference($refusal->getMessage(), $known, is_bool($differs) ? $differs : null);
        }
        try {
            return $this->lookUp($buying, $endsAt, $refusal) ?? $known;
        } catch (OutcomeUnknown) {
            return $known;
        }
    }

    /**
     * Queries until there is an answer. Null: the gateway does not know the reference.
     *
     * @throws OutcomeUnknown when the time is over
     */
    private function lookUp(Buying $buying, float $endsAt, OjaException $cause): ?Outcome
    {
        $clock = $this->caller->clock;
        $path = Buying::lookUpPath($buying->reference, $buying->orderPath);
        for ($tries = 1; ; $tries++) {
            $retryAfter = null;
            try {
                $answer = $this->caller->transport->send(
                    new Request('GET', $path, null, min($this->caller->config->timeout, self::QUESTION)),
                );
                if ($answer->status === 404 && $answer->isRefusal()) {
                    return null;
                }
                $found = Outcome::from($answer->json() ?? [], $buying->reference, $buying->orderPath);
                if ($answer->status === 200 && $found !== null) {
                    return $this->own($buying, $found);
                }
                $retryAfter = $answer->retryAfter();
                $isHopeless = $answer->isRefusal() && $answer->status < 500 && !in_array($answer->status, [408, 429], true);
            } catch (NoAnswer $noAnswer) {
                $isHopeless = $noAnswer->isLasting;
            }
            $pause = Backoff::seconds($tries, $retryAfter);
            if ($isHopeless || $clock->elapsed() + $pause >= $endsAt) {
                throw new OutcomeUnknown($buying->reference, $cause);
            }
            $clock->sleep($pause);
        }
    }

    private function own(Buying $buying, Outcome $found): Outcome
    {
        if (!$buying->isOwnReference && $found->contradicts($buying->body)) {
            throw new DuplicateReference("The reference $buying->reference is of another purchase", $found, true);
        }
        return $found;
    }
}
