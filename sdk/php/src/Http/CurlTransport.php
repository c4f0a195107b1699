<?php

declare(strict_types=1);

namespace Oja\Http;

use Oja\Config;

/**
 * Sends with ext-curl. Certificates are always checked, redirects are not followed, and at most 10
 * MB of an answer are read, counted after decompression.
 */
final class CurlTransport implements Transport
{
    private const BODY_MAX = 10_000_000;
    private const HEADERS_MAX = 65_536;
    /** curl errors that occur before a request is sent. */
    private const NOT_SENT = [CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT];
    /**
     * CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION (formerly 51, now 60),
     * CURLE_SSL_CACERT_BADFILE.
     */
    private const BAD_CERTIFICATE = [35, 51, 60, 77];

    private ?\CurlHandle $handle = null;

    public function __construct(private readonly Config $config)
    {
    }

    public function send(Request $request): Answer
    {
        $received = new Received(self::BODY_MAX, self::HEADERS_MAX);
        $this->handle ??= curl_init();
        curl_reset($this->handle);
        curl_setopt_array($this->handle, $this->options($request, $received));
        $isDone = curl_exec($this->handle);
        $code = curl_errno($this->handle);
        // Zero until the connection is established and encrypted. A request is sent only then.
        $wasReady = curl_getinfo($this->handle, CURLINFO_PRETRANSFER_TIME) > 0;
        if ($isDone !== false) {
            return new Answer((int) curl_getinfo($this->handle, CURLINFO_RESPONSE_CODE), $received->headers, $received->body);
        }
        if ($received->isTooLarge) {
            throw new NoAnswer('the answer is larger than 10 MB', isLasting: true, isUnreadable: true);
        }
        $isBadCertificate = in_array($code, self::BAD_CERTIFICATE, true);
        throw new NoAnswer(
            // curl's own text for the code, which contains nothing that was sent.
            strtolower(curl_strerror($code) ?? 'the connection failed'),
            wasNotSent: in_array($code, self::NOT_SENT, true) || !$wasReady,
            isLasting: $isBadCertificate,
        );
    }

    /** @return array<int, mixed> */
    private function options(Request $request, Received $received): array
    {
        $content = $request->content();
        $options = [
            CURLOPT_URL => $this->config->url . $request->path,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_SSLVERSION => CURL_SSLVERSION_TLSv1_2,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_CONNECTTIMEOUT_MS => (int) (1000 * min($this->config->connectTimeout, $request->timeout)),
            CURLOPT_TIMEOUT_MS => max(1, (int) (1000 * $request->timeout)),
            // On a reused connection curl would send a request twice by itself.
            CURLOPT_FRESH_CONNECT => $request->method !== 'GET',
            CURLOPT_ENCODING => '',
            CURLOPT_HEADERFUNCTION => $received->takeHeader(...),
            CURLOPT_WRITEFUNCTION => $received->takeBody(...),
            CURLOPT_HTTPHEADER => [
                'X-Merchant-Key: ' . $this->config->key,
                'X-Merchant-Secret: ' . $this->config->secret->reveal(),
                'Accept: application/json, image/png',
                'User-Agent: oja-php/0.1.0',
                'Expect:',
                ...(is_string($content) ? ['Content-Type: application/json'] : []),
            ],
        ];
        return $content === null ? $options : $options + [CURLOPT_POSTFIELDS => $content];
    }

    public function __debugInfo(): array
    {
        return ['url' => $this->config->url];
    }
}
