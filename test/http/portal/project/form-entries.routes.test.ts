import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { addEntry } from '../../../../src/sites/entries.ts'
import { form_entries } from '../../../../src/store/tables/sites.ts'
import { START } from '../../../support/world.ts'
import { createSiteWorld, type SiteWorld } from '../../site-world.ts'

let world: SiteWorld
beforeAll(async () => (world = await createSiteWorld()))
afterAll(() => world.close())
beforeEach(async () => {
  const { store } = world.service.runtime
  await store.write(async (tx) => {
    await tx.delete(form_entries)
    const add = (
      form: string,
      fields: Record<string, string | number | string[]>,
      after_s: number,
      of = world.project,
    ) => addEntry(tx, { project_id: of.id, most: 1e6, now: START + after_s * 1000 }, { form, fields })
    await add('contact', { name: 'Ann, "the tide"', size: 38 }, 0)
    await add('contact', { name: '=1+1', seen: ['north', 'south'] }, 2)
    await add('booking', { day: 'Monday' }, 1)
    await add('booking', { day: 'Friday' }, 3, world.other)
  })
})

const forms = async () =>
  (await world.edit('/project/form-entries/forms')).forms.map((one: any) => [one.form, one.entries, one.last_on])
const ids = async (form?: string): Promise<number[]> =>
  (await world.edit('/project/form-entries/list', { form })).items.map(({ id }: { id: number }) => id)

test('Forms are listed by name with their numbers, the one with the newest entry first.', async () => {
  expect(await forms()).toEqual([
    ['contact', 2, '2026-01-15T09:00:02.000Z'],
    ['booking', 1, '2026-01-15T09:00:01.000Z'],
  ])
})

test('Entries are deleted by id or with their whole form, and never those of another project.', async () => {
  const [newest] = await ids('contact')
  const { store } = world.service.runtime
  const rows = await store.db.select().from(form_entries)
  const foreign = rows.find(({ project_id }) => project_id === world.other.id)!.id
  const one = await world.edit('/project/form-entries/delete', { entry_ids: [newest, foreign] })
  expect(one).toEqual({ success: true, deleted: 1, left: 0 })
  expect(await world.edit('/project/form-entries/delete', { form: 'booking' })).toMatchObject({ deleted: 1, left: 0 })
  expect([(await ids()).length, await store.db.$count(form_entries)]).toEqual([1, 2])
  for (const body of [{}, { form: 'contact', entry_ids: [1] }, { entry_ids: [] }])
    expect((await world.as('editor', '/project/form-entries/delete', body)).status).toBe(400)
  expect((await world.as('member', '/project/form-entries/delete', { form: 'contact' })).status).toBe(403)
})

test('A request deletes a limited number, the oldest first, and tells what is left.', async () => {
  const { store } = world.service.runtime
  const rows = Array.from({ length: 5001 }, (_, at) => ({
    project_id: world.project.id,
    form: 'poll',
    fields: {},
    created_at: START + at,
  }))
  await store.write(async (tx) => {
    for (let at = 0; at < rows.length; at += 1000) await tx.insert(form_entries).values(rows.slice(at, at + 1000))
  })
  const [newest] = await ids('poll')
  expect(await world.edit('/project/form-entries/delete', { form: 'poll' })).toMatchObject({ deleted: 5000, left: 1 })
  expect(await ids('poll')).toEqual([newest!])
})

test('The CSV has a column for each field, and no cell that a spreadsheet would run.', async () => {
  const download = (query: string, role: 'editor' | 'member' = 'editor') =>
    world.cookie(role).then((Cookie) =>
      world.fetch(`/project/form-entries/export?project_id=${world.project.public_id}${query}`, {
        headers: { Cookie },
      }),
    )
  const response = await download('')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="form-entries.csv"')
  const lines = (await response.text()).split('\r\n').map((line) => line.replace(/^\d+,/, ''))
  expect(lines).toEqual([
    'id,form,created_on,name,size,seen,day',
    'contact,2026-01-15T09:00:00.000Z,"Ann, ""the tide""",38,,',
    'booking,2026-01-15T09:00:01.000Z,,,,Monday',
    `contact,2026-01-15T09:00:02.000Z,'=1+1,,"north; south",`,
    '',
  ])
  const { store } = world.service.runtime
  const fields = JSON.parse('{"constructor":"x","__proto__":"y","toString":"z"}')
  const row = { project_id: world.project.id, form: 'odd', created_at: world.clock.now() }
  await store.write((tx) =>
    tx.insert(form_entries).values([
      { ...row, fields },
      { ...row, fields: { name: 'Ann' } },
    ]),
  )
  const odd = (await (await download('&form=odd')).text()).split('\r\n').map((line) => line.replace(/^.*Z,/, ''))
  expect(odd).toEqual(['id,form,created_on,constructor,__proto__,toString,name', 'x,y,z,', ',,,Ann', ''])
  expect((await (await download('&form=booking')).text()).split('\r\n')).toHaveLength(3)
  expect((await download('', 'member')).status).toBe(403)
  expect((await download('&form=')).status).toBe(400)
})

test('Directories are listed by name with their numbers.', async () => {
  for (const [directory, title] of [
    ['Shops', 'One'],
    ['Events', 'Two'],
    ['Shops', 'Three'],
  ])
    await world.edit('/project/directory/items/create', { directory, title })
  const { directories } = await world.edit('/project/directory/list')
  expect(directories).toEqual([
    { directory: 'Events', items: 1, last_update: expect.any(String) },
    { directory: 'Shops', items: 2, last_update: expect.any(String) },
  ])
})
