import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { readStatus, REASON_OF_STATUS, saysYes, strictest } from '../../../src/newsletter/imports/row-status.ts'
import { ROW_STATUSES } from '../../../src/store/tables/imports.ts'

test('The words of other programs are read in any case, with blanks, hyphens and underscores left out.', () => {
  expect(
    ['Active', 'YES', '1', 'Un-Confirmed', 'block listed', '2', 'hard_bounce', '3', 'Spam Complaint', '4'].map(
      readStatus,
    ),
  ).toEqual([
    'subscribed',
    'subscribed',
    'subscribed',
    'pending',
    'unsubscribed',
    'unsubscribed',
    'bounced',
    'bounced',
    'complained',
    'complained',
  ])
  expect(['', 'maybe', '5', 'toString'].map(readStatus)).toEqual([undefined, undefined, undefined, undefined])
})

const DOCUMENT = readFileSync(join(import.meta.dir, '../../../docs/api/imports.md'), 'utf8')

test('Each word of the documentation has its status.', () => {
  const table = DOCUMENT.slice(DOCUMENT.indexOf('| Status | Words |'), DOCUMENT.indexOf('`opted_out`, `bounced` and'))
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)]
  expect(rows.map(([, status]) => status!)).toEqual([...ROW_STATUSES])
  const words = rows.flatMap(([, status, listed]) => listed!.split(', ').map((word) => [word, status]))
  expect(words.length).toBeGreaterThan(30)
  expect(words.map(([word]) => [word, readStatus(word!)])).toEqual(words as never)
})

test('Each word for no that the documentation has is a no.', () => {
  const listed = /not a no\s\(([^)]*)\)/.exec(DOCUMENT)![1]!
  const words = [...listed.matchAll(/`(.*?)`/g)].map(([, word]) => word!)
  expect(words.length).toBe(10)
  expect(words.filter((word) => saysYes(word.toUpperCase()))).toEqual([])
})

test('A cell says yes unless it is empty, a no, or about other channels.', () => {
  for (const cell of ['true', '2026-01-01', 'email_marketing', 'sms, email', 'x'])
    expect([cell, saysYes(cell)]).toEqual([cell, true])
  for (const cell of ['', 'NO', 'false', '0', 'Nein', 'sms_marketing', 'SMS, whatsapp_campaigns'])
    expect([cell, saysYes(cell)]).toEqual([cell, false])
})

test('The stricter of two statuses counts, and says how the address is suppressed.', () => {
  for (const [at, one] of ROW_STATUSES.entries())
    for (const [by, other] of ROW_STATUSES.entries())
      expect(strictest(one, other)).toBe(ROW_STATUSES[Math.max(at, by)]!)
  expect(ROW_STATUSES.map((status) => REASON_OF_STATUS[status])).toEqual([
    null,
    null,
    'unsubscribe',
    'hard_bounce',
    'complaint',
  ])
})
