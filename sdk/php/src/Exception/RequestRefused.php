<?php

declare(strict_types=1);

namespace Oja\Exception;

use Oja\Http\Answer;

/** An answer of the gateway itself, other than success. Each subclass requires one reaction. */
abstract class RequestRefused extends OjaException
{
    /** The HTTP status. */
    public readonly int $status;
    /** The stable code of the cause, such as `field_missing`. Null: the gateway sent none. */
    public readonly ?string $reason;
    /** Quote it when you ask for help. */
    public readonly ?string $requestId;
    /** @var array<string, mixed> the purchase that exists, as the refusal reports it */
    public readonly array $data;
    /** @var list<array{field: string, reason: string, message: string}> */
    private array $errors;
    private ?float $retryAfter;

    public function __construct(Answer $answer, ?string $reference = null)
    {
        $body = $answer->json() ?? [];
        $message = is_string($body['message'] ?? null) ? $body['message'] : 'The request was refused';
        parent::__construct("$message ($answer->status)", $reference);
        $this->status = $answer->status;
        $this->reason = is_string($body['reason'] ?? null) ? $body['reason'] : null;
        $this->requestId = $answer->header('x-request-id');
        $this->data = is_array($body['data'] ?? null) ? $body['data'] : [];
        $this->errors = is_array($body['errors'] ?? null) ? array_values($body['errors']) : [];
        $this->retryAfter = $answer->retryAfter();
    }

    /**
     * The invalid fields, with the valid values.
     *
     * @return list<array{field: string, reason: string, message: string}>
     */
    public function errors(): array
    {
        return $this->errors;
    }

    /** Seconds to wait before the request is sent again. Null: the gateway sent none. */
    public function retryAfter(): ?float
    {
        return $this->retryAfter;
    }
}
