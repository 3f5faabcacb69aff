import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import type { SQL } from 'drizzle-orm'
import { DELIVERY_STATUSES } from '../../../src/store/tables/delivery.ts'
import {
  allowedAfter,
  allowedFrom,
  STATES,
  statusAfter,
  statusBefore,
  TRANSITIONS,
} from '../../../src/newsletter/outbox/states.ts'

/** The two tables as Markdown, as they stand in `docs/api/delivery.md#states`. */
function statesAsMarkdown(): string {
  const states = DELIVERY_STATUSES.map((status) => `| \`${status}\` | ${STATES[status]} |`)
  const transitions = TRANSITIONS.map(({ verb, from, to, why }) => {
    const before = from.map((status) => `\`${status}\``).join(', ') || '(new)'
    return `| ${verb} | ${before} | \`${to}\` | ${why} |`
  })
  return [
    '| Status | Meaning |',
    '|---|---|',
    ...states,
    '',
    '| Verb | From | To | When |',
    '|---|---|---|---|',
    ...transitions,
  ].join('\n')
}

const text = (query: SQL): string => new SQLiteSyncDialect().sqlToQuery(query).sql

test('The conditions of the verbs come from the transition table.', () => {
  expect(text(statusBefore('lease'))).toBe("status = 'queued'")
  expect(text(statusBefore('recover'))).toBe("status IN ('leased', 'sending')")
  expect(text(statusBefore('settle', 'retry', 'drop'))).toBe("status = 'sending'")
  expect(text(statusAfter('mark'))).toBe("'sending'")
  expect(text(statusAfter('recover'))).toBe(
    "CASE status WHEN 'leased' THEN 'queued' WHEN 'sending' THEN 'uncertain' END",
  )
})

test('A transition that is not in the table cannot be written.', () => {
  expect(() => statusBefore('mark', 'settle')).toThrow('mark and settle start from different statuses.')
  expect(() => allowedAfter('settle', 'queued' as 'sent')).toThrow('settle does not lead to queued.')
  expect(allowedAfter('settle', 'bounced')).toBe('bounced')
})

test('Only people and reports lead out of a final status, and only a report changes one that was sent.', () => {
  const verbs = ['lease', 'release', 'defer', 'mark', 'skip', 'settle', 'retry', 'drop', 'recover', 'cancel'] as const
  expect([...new Set(verbs.flatMap((verb) => allowedFrom(verb)))].toSorted()).toEqual(['leased', 'queued', 'sending'])
  expect(allowedFrom('requeue')).toEqual(['failed', 'uncertain'])
  expect(allowedFrom('confirm')).toEqual(['sending', 'uncertain'])
  expect(allowedFrom('bounce')).toEqual(['sending', 'sent', 'uncertain'])
})

test('The Markdown names every status and every verb.', () => {
  const markdown = statesAsMarkdown()
  for (const status of DELIVERY_STATUSES) expect(markdown).toContain(`\n| \`${status}\` | `)
  expect(markdown).toContain('| cancel | `queued`, `leased` | `cancelled` | ')
})

test('docs/api/delivery.md contains the tables of states and transitions as they are.', () => {
  const page = join(import.meta.dir, '../../../docs/api/delivery.md')
  if (!existsSync(page)) throw new Error('docs/api/delivery.md is missing.')
  const [, drawn] = readFileSync(page, 'utf8').split(/<!-- delivery states: (?:begin|end) -->/)
  expect(drawn?.trim()).toBe(statesAsMarkdown())
})
