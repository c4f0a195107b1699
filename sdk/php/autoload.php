<?php

declare(strict_types=1);

/** Loads the classes of the client without Composer. */
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Oja\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, 4), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
