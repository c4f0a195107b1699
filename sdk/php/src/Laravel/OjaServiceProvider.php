<?php

declare(strict_types=1);

namespace Oja\Laravel;

use Illuminate\Support\ServiceProvider;
use Oja\Client;

/**
 * Gives Laravel one client, configured by `config/oja.php`. Composer's package discovery loads it,
 * only in Laravel.
 */
final class OjaServiceProvider extends ServiceProvider
{
    private const OPTIONS = ['url', 'key', 'secret', 'merchant', 'timeout', 'deadline'];

    public function register(): void
    {
        $this->mergeConfigFrom(self::file(), 'oja');
        $this->app->singleton(Client::class, static function ($app): Client {
            $settings = array_intersect_key($app['config']->get('oja', []), array_flip(self::OPTIONS));
            return new Client(array_filter($settings, static fn (mixed $value): bool => $value !== null && $value !== ''));
        });
    }

    public function boot(): void
    {
        if ($this->app->runningInConsole()) {
            $this->publishes([self::file() => $this->app->configPath('oja.php')], 'oja-config');
        }
    }

    private static function file(): string
    {
        return dirname(__DIR__, 2) . '/config/oja.php';
    }
}
