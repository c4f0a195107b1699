<?php

/** The settings of the client in Laravel: `php artisan vendor:publish --tag=oja-config`. */
return [
    'url' => env('OJA_URL'),
    'key' => env('OJA_KEY'),
    'secret' => env('OJA_SECRET'),
    'merchant' => env('OJA_MERCHANT'),
    'timeout' => env('OJA_TIMEOUT', 75),
    'deadline' => env('OJA_DEADLINE', 120),
    'webhook_secret' => env('OJA_WEBHOOK_SECRET'),
];
