/**
 * A content security policy for a static page: only scripts in the page, by their hash, or files of
 * the same site. Styles may be in the page, because highlighted code has inline colours. The search
 * needs `wasm-unsafe-eval`.
 */
import { createHash } from 'node:crypto';

export function withPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${[...new Set(inline)].join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html.replace(/<head>/, `<head><meta http-equiv="content-security-policy" content="${policy}">`);
}
