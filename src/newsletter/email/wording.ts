import { PLACEHOLDER } from './merge-tags.ts'
import type { Warn } from './warnings.ts'

/** Warns of ways to write that spam filters count against a message. */
export function checkWording(
  { subject, preheader, text }: { subject: string; preheader: string; text: string },
  warn: Warn,
): void {
  if (isShouting(subject)) warn('shouting', 'The subject is in capital letters: spam filters take that for shouting.')
  const loud = [
    ['subject', subject],
    ['preheader', preheader],
  ].find(([, words]) => isLoud(words!))
  if (loud)
    warn(
      'excessive_punctuation',
      `The ${loud[0]} has more exclamation marks, question marks or money signs than spam filters like.`,
    )
  else if (/[!?]{3}/.test(text))
    warn('excessive_punctuation', 'The text has three or more exclamation or question marks in a row.')
}

/** Most letters are capitals, of more than a short word; scripts without capitals never shout. */
function isShouting(text: string): boolean {
  const words = text.replace(PLACEHOLDER, '')
  const capitals = words.match(/\p{Lu}/gu)?.length ?? 0
  const small = words.match(/\p{Ll}/gu)?.length ?? 0
  return capitals >= 8 && capitals / (capitals + small) >= 0.8
}

function isLoud(text: string): boolean {
  const words = text.replace(PLACEHOLDER, '')
  return /[!?]{2}|[$€£¥]{2}/.test(words) || (words.match(/!/g)?.length ?? 0) >= 3
}
