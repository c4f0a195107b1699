/** Escapes a text for HTML, as content or as an attribute, because it may be hostile. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
