/**
 * A text in base64url with another character before its last one. Some bits of the last one may stand for nothing, so a
 * change there can leave the bytes as they are.
 */
export function altered(text: string): string {
  return `${text.slice(0, -2)}${text.at(-2) === 'A' ? 'B' : 'A'}${text.slice(-1)}`
}
