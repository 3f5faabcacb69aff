import { expect, test } from 'bun:test'
import { type Fact, factLine } from '../../../src/newsletter/facts.ts'
import { factsSince } from '../../../src/newsletter/restore/facts-of.ts'

const BACKUP = Date.UTC(2026, 0, 15, 9)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const MARK = `#${'a'.repeat(43)}`

const left = (at: number, contact_id = 1, project = 'prj_a'): string =>
  factLine({ at, project, mark: MARK, what: 'left', contact_id, list_id: null })
const handed = (at: number, what: 'handed-over' | 'taken-back' = 'handed-over', delivery_id = 5): string =>
  factLine({
    at,
    project: 'prj_a',
    mark: MARK,
    what,
    delivery_id,
    kind: 'campaign',
    contact_id: 1,
    campaign: null,
  } as Fact)
const read = (...sources: string[][]) => {
  const facts = factsSince(sources, BACKUP).get('prj_a')
  return {
    departures: (facts?.departures ?? []).map((fact) => ('contact_id' in fact ? fact.contact_id : 0)),
    handovers: [...(facts?.handovers.values() ?? [])].map(({ what }) => what),
  }
}

test('Departures count from a minute before the backup, messages from an hour before it.', () => {
  expect(read([left(BACKUP - MINUTE - 1, 1)]).departures).toEqual([])
  expect(read([left(BACKUP - MINUTE, 2)]).departures).toEqual([2])
  expect(read([handed(BACKUP - HOUR - 1)]).handovers).toEqual([])
  expect(read([handed(BACKUP - HOUR)]).handovers).toEqual(['handed-over'])
})

test('All that follows the first such fact of a folder counts, because a clock may have been set back.', () => {
  expect(read([left(BACKUP), left(BACKUP - HOUR, 2)]).departures).toEqual([1, 2])
  expect(read([left(BACKUP)], [left(BACKUP - HOUR, 2)]).departures).toEqual([1])
  expect(read([handed(BACKUP), handed(BACKUP - 2 * HOUR, 'taken-back', 6)]).handovers).toEqual([
    'handed-over',
    'taken-back',
  ])
})

test('Of a message the latest fact counts, of two at one time the later line.', () => {
  expect(read([handed(BACKUP), handed(BACKUP + 1, 'taken-back')]).handovers).toEqual(['taken-back'])
  expect(read([handed(BACKUP + 1), handed(BACKUP, 'taken-back')]).handovers).toEqual(['handed-over'])
  expect(read([handed(BACKUP), handed(BACKUP, 'taken-back')]).handovers).toEqual(['taken-back'])
  expect(read([handed(BACKUP), handed(BACKUP, 'handed-over', 6)]).handovers).toHaveLength(2)
})

test('Damaged lines are passed over, and projects are kept apart.', () => {
  const facts = factsSince([['', 'x', left(BACKUP).slice(0, -3), left(BACKUP, 3, 'prj_b')]], BACKUP)
  expect([...facts.keys()]).toEqual(['prj_b'])
})
