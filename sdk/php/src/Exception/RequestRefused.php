<?php

declare(strict_types=1);

namespace Oja\Exception;

use Oja\Http\Answer;

/** The gateway's own word, other than success. Each class of it is one thing to do. */
abstract class RequestRefused extends OjaException
{
    /** The status of HTTP. */
    public readonly int $status;
    /** The stable code of the cause, such as `field_missing`; null: the gateway gave none. */
    public readonly ?string $reason;
    /** To be quoted when you ask for help. */
    public readonly ?string $requestId;
    /** @var array<string, mixed> what the refusal says of a purchase that exists */
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
     * The fields that are at fault, with what would be right.
     *
     * @return list<array{field: string, reason: string, message: string}>
     */
    public function errors(): array
    {
        return $this->errors;
    }

    /** Seconds to wait before it is sent again; null: the gateway did not say. */
    public function retryAfter(): ?float
    {
        return $this->retryAfter;
    }
}
