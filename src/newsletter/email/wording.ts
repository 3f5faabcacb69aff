import { PLACEHOLDER } from '../../shared/merge-tags.ts'
import type { Warn } from './warnings.ts'

/** Warns about wording that spam filters count against a message. */
export function checkWording(
  { subject, preheader, text }: { subject: string; preheader: string; text: string },
  warn: Warn,
): void {
  if (isShouting(subject)) warn('shouting', 'The subject is in capital letters, which spam filters distrust.')
  const loud = [
    ['subject', subject],
    ['preheader', preheader],
  ].find(([, field]) => isLoud(field!))
  if (loud)
    warn(
      'excessive_punctuation',
      `The ${loud[0]} has more exclamation marks, question marks or currency signs than spam filters accept.`,
    )
  else if (/[!?]{3}/.test(text))
    warn('excessive_punctuation', 'The text has three or more exclamation or question marks in a row.')
}

/** At least eight capitals and 80 % of all letters. Scripts without capitals never count. */
function isShouting(text: string): boolean {
  const literal = text.replace(PLACEHOLDER, '')
  const count = (letters: RegExp) => literal.match(letters)?.length ?? 0
  return count(/\p{Lu}/gu) >= 8 && count(/\p{Lu}/gu) / count(/\p{Lu}|\p{Ll}/gu) >= 0.8
}

function isLoud(text: string): boolean {
  const literal = text.replace(PLACEHOLDER, '')
  return /[!?]{2}|[$€£¥]{2}/.test(literal) || (literal.match(/!/g)?.length ?? 0) >= 3
}
