import { expect, test } from 'bun:test'
import { RECORDED_LETTERS, recordedLetters } from '../../support/recorded-letter.ts'

test('Letters with every kind of block are drawn as mail programs were found to show them well.', async () => {
  expect(recordedLetters()).toBe(await Bun.file(RECORDED_LETTERS).text())
})
