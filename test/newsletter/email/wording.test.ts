import { expect, test } from 'bun:test'
import { checkWording } from '../../../src/newsletter/email/wording.ts'

function warnings(given: { subject?: string; preheader?: string; text?: string }): string[] {
  const found: string[] = []
  checkWording({ subject: '', preheader: '', text: '', ...given }, (code, message) => found.push(`${code} ${message}`))
  return found.map((line) => line.split(' ').slice(0, 3).join(' '))
}

test('A subject shouts with at least eight capitals that are four fifths of its letters.', () => {
  const shouts = (subject: string) => warnings({ subject }).length > 0
  expect(['ABCDEFGH', 'ABCDEFGHab', 'ÄBCDEFGH 5'].map(shouts)).toEqual([true, true, true])
  expect(['ABCDEFG', 'ABCDEFGHabc', '今日のニュース', ''].map(shouts)).toEqual([false, false, false, false])
  // The name of a merge tag is not part of the subject.
  expect(shouts('ABCDEFG {{ contact.custom.CITY }}')).toBe(false)
  expect(warnings({ preheader: 'ABCDEFGHI' })).toEqual([])
})

test('Marks in a row, or three exclamation marks, are too many for the subject and the preheader.', () => {
  for (const subject of ['Hi!!', 'Hi?!', '$$', '€£', '¥¥', 'a! b! c!'])
    expect(warnings({ subject })).toEqual(['excessive_punctuation The subject'])
  for (const subject of ['Hi! You!', 'Why?', '$5 and €6', '{{ contact.first_name | default: "!!!" }}'])
    expect(warnings({ subject })).toEqual([])
  expect(warnings({ preheader: 'Hi!!' })).toEqual(['excessive_punctuation The preheader'])
  expect(warnings({ subject: 'Hi!!', preheader: 'Hi!!', text: '!!!' })).toEqual(['excessive_punctuation The subject'])
})

test('The text may have two marks in a row and not three.', () => {
  expect(warnings({ text: 'a!! b?!' })).toEqual([])
  expect(warnings({ text: 'a!?!' })).toEqual(['excessive_punctuation The text'])
})
