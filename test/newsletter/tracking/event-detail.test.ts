import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { BOUNCE_KIND, bounceDetail, IMPERSONAL_DETAIL } from '../../../src/newsletter/tracking/event-detail.ts'
import { sharedStore } from '../../support/shared-store.ts'

async function of(type: string, detail: string | null): Promise<{ kind: string; impersonal: string | null }> {
  const { db } = await sharedStore()
  const [row] = await db.all<{ kind: string; impersonal: string | null }>(sql`
    SELECT ${BOUNCE_KIND} AS kind, ${IMPERSONAL_DETAIL} AS impersonal
    FROM (SELECT ${type} AS type, ${detail} AS detail)`)
  return row!
}

test('The detail of a bounce has its kind, and what the server said if it said anything.', () => {
  expect(bounceDetail('soft', '')).toBe('{"kind":"soft"}')
  expect(bounceDetail('hard', '550 gone')).toBe('{"kind":"hard","response":"550 gone"}')
})

test('A bounce is soft only when its detail says so, and a plain text is never read as JSON.', async () => {
  const kindOf = async (detail: string | null) => (await of('bounce', detail)).kind
  for (const detail of [null, '', '550 gone', '{"kind":', '{}', bounceDetail('hard', 'soft')])
    expect([detail, await kindOf(detail)]).toEqual([detail, 'hard'])
  for (const response of ['', '452 full']) expect(await kindOf(bounceDetail('soft', response))).toBe('soft')
})

test('An event whose contact was deleted keeps nothing personal.', async () => {
  const left = async (type: string, detail: string | null) => (await of(type, detail)).impersonal
  expect(await left('bounce', bounceDetail('soft', 'ada@x.example is full'))).toBe('{"kind":"soft"}')
  expect(await left('bounce', bounceDetail('hard', 'ada@x.example is gone'))).toBe('{"kind":"hard"}')
  expect(await left('bounce', 'ada@x.example is gone')).toBeNull()
  expect(await left('unsubscribe', 'one-click')).toBe('one-click')
  expect(await left('failed', bounceDetail('soft', 'ada@x.example'))).toBeNull()
  expect(await left('complaint', 'ada@x.example')).toBeNull()
})
