<?php

declare(strict_types=1);

namespace Oja;

use Oja\Http\Caller;
use Oja\Http\CurlTransport;
use Oja\Http\Transport;
use Oja\Resource\Airtime;
use Oja\Resource\Batches;
use Oja\Resource\Data;
use Oja\Resource\Deliveries;
use Oja\Resource\Endpoints;
use Oja\Resource\Esims;
use Oja\Resource\Events;
use Oja\Resource\GiftCards;
use Oja\Resource\Health;
use Oja\Resource\Plans;
use Oja\Resource\Purchases;
use Oja\Resource\Test;
use Oja\Resource\Vouchers;
use Oja\Resource\Wallet;

/**
 * The client of a gateway. Use it on a server only: anyone who has its secret can spend the wallet.
 */
final class Client
{
    public readonly Airtime $airtime;
    public readonly Data $data;
    public readonly Purchases $purchases;
    public readonly Batches $batches;
    public readonly Plans $plans;
    public readonly GiftCards $giftCards;
    public readonly Vouchers $vouchers;
    public readonly Esims $esims;
    public readonly Wallet $wallet;
    public readonly Events $events;
    public readonly Endpoints $endpoints;
    public readonly Deliveries $deliveries;
    public readonly Health $health;
    public readonly Test $test;

    /**
     * @param Config|array<string, mixed> $config url, key, secret, merchant; timeout, connect_timeout,
     *     deadline in seconds; retries; allow_http
     */
    public function __construct(
        #[\SensitiveParameter] Config|array $config,
        ?Transport $transport = null,
        ?Clock $clock = null,
    ) {
        $config = $config instanceof Config ? $config : Config::from($config);
        $caller = new Caller($config, $transport ?? new CurlTransport($config), $clock ?? new Clock());
        $this->airtime = new Airtime($caller);
        $this->data = new Data($caller);
        $this->purchases = new Purchases($caller);
        $this->batches = new Batches($caller);
        $this->plans = new Plans($caller);
        $this->giftCards = new GiftCards($caller);
        $this->vouchers = new Vouchers($caller);
        $this->esims = new Esims($caller);
        $this->wallet = new Wallet($caller);
        $this->events = new Events($caller);
        $this->endpoints = new Endpoints($caller);
        $this->deliveries = new Deliveries($caller);
        $this->health = new Health($caller);
        $this->test = new Test($caller);
    }

    /**
     * Creates a client from OJA_URL, OJA_KEY, OJA_SECRET and OJA_MERCHANT.
     *
     * @param array<string, mixed> $options override these
     */
    public static function fromEnvironment(
        #[\SensitiveParameter] array $options = [],
        ?Transport $transport = null,
        ?Clock $clock = null,
    ): self {
        return new self(Config::fromEnvironment($options), $transport, $clock);
    }
}
