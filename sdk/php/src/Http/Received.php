<?php

declare(strict_types=1);

namespace Oja\Http;

/** Receives an answer in parts, and stops it if it is too large. */
final class Received
{
    /** @var array<string, string> */
    public array $headers = [];
    public string $body = '';
    public bool $isTooLarge = false;
    private int $headerBytes = 0;

    public function __construct(private readonly int $bodyMax, private readonly int $headersMax)
    {
    }

    /** Any number other than that of the received bytes ends the request. */
    public function takeHeader(\CurlHandle $handle, string $line): int
    {
        $this->headerBytes += strlen($line);
        if ($this->headerBytes > $this->headersMax) {
            $this->isTooLarge = true;
            return 0;
        }
        [$name, $value] = explode(':', $line, 2) + [1 => null];
        if ($value !== null) {
            $this->headers[strtolower(trim($name))] = trim($value);
        }
        return strlen($line);
    }

    public function takeBody(\CurlHandle $handle, string $bytes): int
    {
        if (strlen($this->body) + strlen($bytes) > $this->bodyMax) {
            $this->isTooLarge = true;
            $this->body = '';
            return 0;
        }
        $this->body .= $bytes;
        return strlen($bytes);
    }
}
