import { expect, test } from 'bun:test'
import { checkSamples, isSamplePath } from '../../../src/newsletter/email/samples.ts'

function found(markup: string): string[] {
  const messages: string[] = []
  checkSamples(markup, (code, message) => messages.push(`${code}: ${message}`))
  return messages
}

test('A paragraph of a design is found in whatever form it stands, and an own one is not.', () => {
  const sample = 'Four thousand books</b> on open shelves, to read here or to borrow.'
  expect(found(`<ul><li><p><b>${sample}</p></li><li>Mine</li></ul>`)).toEqual([
    'sample_text: “Four thousand books on open shelves, to read here or to borr…” still comes from the design.',
  ])
  expect(found('<h1>Welcome, {{ contact.first_name }}</h1><p>Four thousand books on open shelves.</p>')).toEqual([])
  expect(found('<p>one word is all we ask for</p>')).toEqual([])
})

test('Paths of designs are known with their queries, and what every site serves is not among them.', () => {
  expect(['/start', '/report', '/sale/terms'].map(isSamplePath)).toEqual([true, true, true])
  expect(['/posts', '/feed.xml', '/letters', '', '/'].map(isSamplePath)).toEqual([false, false, false, false, false])
})
