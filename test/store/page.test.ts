import { sql } from 'drizzle-orm'
import { expect, test } from 'bun:test'
import { Keys } from '../../src/secrets.ts'
import { canonicalJson } from '../../src/canonical-json.ts'
import { type CursorPosition, page, type PageRequest, rowsAfter } from '../../src/store/page.ts'
import type { ProjectId } from '../../src/ids.ts'
import { altered } from '../support/altered.ts'
import { newContact, newProject, sharedStore } from '../support/shared-store.ts'

const keys = new Keys('a master key that is long enough for a test')
const rows: CursorPosition[] = Array.from({ length: 25 }, (_, index) => ({
  created_at: 1000 + Math.floor(index / 4),
  id: index + 1,
}))
const fetchRows = async (after: CursorPosition | null, limit: number) =>
  rows
    .filter(
      (row) =>
        !after || row.created_at > after.created_at || (row.created_at === after.created_at && row.id > after.id),
    )
    .slice(0, limit)
const request = (more: Partial<PageRequest> = {}): PageRequest => ({
  keys,
  operation: '/lists/list',
  project_id: 1 as ProjectId,
  filters: { search: 'x' },
  limit: 10,
  ...more,
})

const idOf = ({ id }: CursorPosition) => id

test('Pages follow each other without a gap or a repeat, and the last full page ends the list.', async () => {
  const seen: number[][] = []
  let cursor: string | undefined
  do {
    const { items, next_cursor } = await page(request({ cursor, limit: 5 }), fetchRows, idOf)
    seen.push(items)
    cursor = next_cursor ?? undefined
  } while (cursor)
  expect([seen.length, seen.flat()]).toEqual([5, rows.map(({ id }) => id)])
})

test('The limit may change between two pages.', async () => {
  const first = await page(request({ limit: 3 }), fetchRows, idOf)
  const second = await page(request({ limit: 20, cursor: first.next_cursor! }), fetchRows, idOf)
  expect(second.items[0]).toBe(4)
})

const { next_cursor } = await page(request(), fetchRows, idOf)
const refused: [string, Partial<PageRequest>][] = [
  ['another operation', { operation: '/tags/list' }],
  ['another project', { project_id: 2 as ProjectId }],
  ['other filters', { filters: { search: 'y' } }],
  ['another instance', { keys: new Keys('another master key, as long as the first one') }],
  ['a changed cursor', { cursor: altered(next_cursor!) }],
  ['a cursor that the caller made up', { cursor: 'eyJpZCI6MX0' }],
  ['text that is not base64', { cursor: '%%%' }],
]
test.each(refused)('A cursor is refused with %s.', async (_, more) => {
  await expect(page(request({ cursor: next_cursor!, ...more }), fetchRows, idOf)).rejects.toMatchObject({
    code: 'INVALID_CURSOR',
  })
})

test('Canonical JSON does not depend on the order of keys.', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe(
    canonicalJson({ b: [1, { c: 'x', d: null }] }),
  )
  expect(canonicalJson([undefined, 1])).toBe('[null,1]')
})

test('The rows after a place follow in order, also those of the same instant, from either end.', async () => {
  const store = await sharedStore()
  const project_id = await newProject()
  const ids: number[] = []
  for (const [n, created_at] of [5, 5, 5, 7, 3].entries())
    ids.push(await newContact(project_id, `p${n}@example.com`, { created_at }))
  const [a, b, c, d, e] = ids as [number, number, number, number, number]
  const after = async (place: CursorPosition | null, most: number, order?: 'oldest' | 'newest') => {
    const rows = await store.db.all<CursorPosition>(
      rowsAfter('contacts', sql`project_id = ${project_id}`, { after: place, most, order }),
    )
    return rows.map(idOf)
  }
  expect(await after(null, 9)).toEqual([e, a, b, c, d])
  expect(await after(null, 2, 'newest')).toEqual([d, c])
  expect(await after({ created_at: 5, id: b }, 9, 'oldest')).toEqual([c, d])
  expect(await after({ created_at: 5, id: b }, 9, 'newest')).toEqual([a, e])
  expect(await after({ created_at: 3, id: e }, 3)).toEqual([a, b, c])
  expect(await after({ created_at: 7, id: d }, 1)).toEqual([])
})

test('A cursor that is too long is refused before it is checked.', async () => {
  await expect(page(request({ cursor: 'x'.repeat(1025) }), fetchRows, idOf)).rejects.toMatchObject({
    code: 'INVALID_CURSOR',
  })
})
