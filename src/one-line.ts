/** A text on one line: control characters become spaces, so that a value cannot begin another line or header. */
export function oneLine(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .toWellFormed()
}
