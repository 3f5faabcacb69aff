import { expect, test } from 'bun:test'
import { Keys } from '../../src/secrets.ts'
import { canonicalJson } from '../../src/canonical-json.ts'
import { type CursorPosition, page, type PageRequest } from '../../src/store/page.ts'
import type { ProjectId } from '../../src/ids.ts'
import { altered } from '../support/altered.ts'

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
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const { items, next_cursor } = await page(request({ cursor, limit: 5 }), fetchRows, idOf)
    seen.push(...items)
    cursor = next_cursor ?? undefined
  } while (cursor)
  expect(seen).toEqual(rows.map(({ id }) => id))
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
