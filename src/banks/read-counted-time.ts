/** Times that a bank writes as a count of seconds or milliseconds since 1970, as number or text. */
export function readCountedTime(text: string): Date | undefined {
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  return /^\d{10}$/.test(text) ? new Date(Number(text) * 1_000) : undefined;
}
