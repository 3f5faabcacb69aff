/** The positive whole number that a text of the URL spells, or null: no sign, no leading zero, no inexact number. */
export function readNumber(text: string | undefined): number | null {
  const number = /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : null
  return number !== null && Number.isSafeInteger(number) ? number : null
}
