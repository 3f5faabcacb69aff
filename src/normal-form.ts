type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/** As in the stream-safe format of UAX 15 (13): no word of any language has more marks on a letter. */
const MANY_MARKS = /\p{M}{31}/u

/**
 * A text in a Unicode normal form. The runtime sorts the marks of a letter in quadratic time, so a text with more than
 * 30 marks in a row stays as it is.
 */
export function normalForm(text: string, form: Form = 'NFC'): string {
  return MANY_MARKS.test(text) ? text : text.normalize(form)
}
