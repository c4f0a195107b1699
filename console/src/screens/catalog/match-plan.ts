/** Whether the text is part of the name or code of a plan, in any letter case. */
export function matches(
  { name, subject }: { readonly name: string; readonly subject: string },
  text: string,
): boolean {
  return `${name} ${subject}`.toLowerCase().includes(text.trim().toLowerCase());
}
