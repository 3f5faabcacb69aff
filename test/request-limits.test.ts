import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSiteWorld, type SiteWorld } from './http/site-world.ts'

describe('At the limit a request passes, and one beyond it is refused with the pointer', () => {
  let world: SiteWorld
  let tag_id: number
  beforeAll(async () => {
    world = await createSiteWorld()
    tag_id = (await world.ok('tags/create', { name: 'Tides' })).tag.id
  })
  afterAll(() => world.close())

  let used = 0
  const text = (length: number): string => String(++used).padEnd(length, 'x')
  const several = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

  /** An operation, its body with a value of a size, the greatest size, and where the value stands. */
  const operations: [string, (size: number) => Record<string, unknown>, number, string][] = [
    ['lists/create', (size) => ({ name: text(size) }), 100, '/name'],
    ['lists/create', (size) => ({ name: text(20), description: 'x'.repeat(size) }), 1000, '/description'],
    ['lists/list', (size) => ({ limit: size }), 200, '/limit'],
    ['tags/create', (size) => ({ name: '😀'.repeat(size) }), 100, '/name'],
    ['segments/create', (size) => ({ name: text(size), rules: { op: 'and', rules: [] } }), 100, '/name'],
    [
      'contacts/upsert',
      (size) => ({ email: 'a@b.example', consent_text: 'Yes', first_name: 'x'.repeat(size) }),
      200,
      '/first_name',
    ],
    [
      'contacts/bulk',
      (size) => ({ action: 'delete', contact_ids: several(size).map((id) => id + 1_000_000) }),
      1000,
      '/contact_ids',
    ],
    ['settings/update', (size) => ({ footer_text: 'x'.repeat(size) }), 2000, '/footer_text'],
    ['settings/update', (size) => ({ postal_address: 'x'.repeat(size) }), 500, '/postal_address'],
    ['connections/create', (size) => ({ name: text(9), provider: 'sandbox', port: size }), 65_535, '/port'],
    [
      'campaigns/create',
      (size) => ({ subject: 'x'.repeat(size), audience_spec: { include: [{ type: 'all' }] } }),
      300,
      '/subject',
    ],
    [
      'campaigns/create',
      (size) => ({ subject: 'x', audience_spec: { include: [{ type: 'all' }], exclude: several(size).map(tagged) } }),
      50,
      '/audience_spec/exclude',
    ],
    [
      'campaigns/create',
      (size) => ({
        subject: 'x',
        audience_spec: { include: [{ type: 'all' }] },
        editor_json: { version: 1, settings: {}, blocks: several(size).map(divider) },
      }),
      200,
      '/editor_json/blocks',
    ],
  ]
  const tagged = () => ({ type: 'tag', id: tag_id })
  const divider = (id: number) => ({ id: `b${id}`, type: 'divider', props: {} })

  test.each(operations)(
    'A request to %s passes at its limit and is refused beyond it.',
    async (operation, body, most, pointer) => {
      const last = await world.call(operation, body(most))
      expect([Math.trunc(last.status / 100), last.body.error?.details]).toEqual([2, undefined])
      const beyond = await world.call(operation, body(most + 1))
      expect([beyond.status, beyond.body.error.details.map(({ path }: { path: string }) => path)]).toEqual([
        400,
        [pointer],
      ])
    },
  )

  const routes: typeof operations = [
    ['/project/directory/items/create', (size) => ({ directory: 'x', title: 'x'.repeat(size) }), 300, '/title'],
    ['/project/directory/items/create', (size) => ({ directory: 'x'.repeat(size), title: 'x' }), 100, '/directory'],
    ['/project/form-settings/update', (size) => ({ form: 'x', notify: [], keep_days: size }), 3650, '/keep_days'],
  ]

  test.each(routes)(
    'A request to %s passes at its limit and is refused beyond it.',
    async (path, body, most, pointer) => {
      expect((await world.as('administrator', path, body(most))).status).toBe(200)
      const beyond = await world.as('administrator', path, body(most + 1))
      expect([beyond.status, beyond.body.details.map((flaw: { path: string }) => flaw.path)]).toEqual([400, [pointer]])
    },
  )

  test('A request below its least value is refused with the pointer.', async () => {
    for (const [operation, body, pointer] of [
      ['lists/list', { limit: 0 }, '/limit'],
      ['lists/create', { name: '' }, '/name'],
      ['connections/create', { name: 'Zero', provider: 'sandbox', port: 0 }, '/port'],
      ['contacts/bulk', { action: 'delete', contact_ids: [] }, '/contact_ids'],
    ] as const) {
      const { status, body: answer } = await world.call(operation, body)
      expect([status, answer.error.details[0].path], operation).toEqual([400, pointer])
    }
  })
})
