import { expect, spyOn, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../../support/tab.ts'
import { Running } from '../../../static/app/import/running.tsx'
import { unpackRules } from '../../../static/app/rules/address.ts'

const tab = useTab()
const COUNTERS = { processed: 400, created: 300, updated: 50, skipped: 40, failed: 0 }
const RECORD = {
  id: 7,
  status: 'processing',
  counters: COUNTERS,
  summary: { rows: 1_000 },
  row_errors: [],
  findings: null,
  mapping: null,
  columns: [],
  error: null,
}
const record = (more: object) => ({ ...RECORD, filename: 'a.csv', options: null, ...more })
const draw = (more: object = {}) => tab.draw(h(Running, { record: record(more) as never }))
const tiles = () => tab.texts('.tile')

test('While it runs it says how far it is, and afterwards how many rows it read.', async () => {
  await draw()
  expect(tab.text('.progress')).toBe('Importing400 of 1,000')
  expect(tab.text()).toContain('You can leave this page.')
  expect(tiles()).toEqual(['New300', 'Changed50', 'Left as they are40', 'Not imported0'])
  expect(tab.names()).toEqual(['Stop…'])
  await draw({ status: 'queued', summary: null })
  expect(tab.text('.progress')).toBe('It begins in a moment400 of 400')
  expect(tab.find('[role=progressbar]').hasAttribute('aria-valuenow')).toBe(false)
  await draw({ status: 'cancelled', counters: { ...COUNTERS, processed: 1 } })
  expect(tab.text('p')).toBe('Canceled · 1 row was read.')
  expect(tab.names()).toEqual([])
})

test('It tells rows a second and the time that is left, once it knows them.', async () => {
  using now = spyOn(performance, 'now').mockReturnValue(0)
  await draw()
  const later = async (seconds: number, processed: number) => {
    now.mockReturnValue(seconds * 1_000)
    await tab.redraw(h(Running, { record: record({ counters: { ...COUNTERS, processed } }) as never }))
    return tab.text('.progress')
  }
  expect(await later(1, 500)).toBe('Importing500 of 1,000')
  expect(await later(5, 400)).toBe('Importing400 of 1,000')
  expect(await later(2, 600)).toBe('Importing600 of 1,000 · 100 a second · about 4 sec left')
})

test('It ends early only when that is confirmed, and says how many rows that leaves out.', async () => {
  tab.answers['imports/cancel'] = {}
  await draw()
  await tab.press('Stop…')
  expect(tab.text('dialog')).toContain('300 people stay; the rest is not imported.')
  await tab.press('Leave out 600 rows')
  expect(tab.sent('imports/cancel')).toMatchObject([{ import_id: 7 }])
  expect(tab.body.querySelector('dialog')).toBeNull()
  await draw({ summary: { rows: 300 } })
  await tab.press('Stop…')
  expect(tab.names()).toContain('Leave out 0 rows')
  await tab.press('Not now')
  expect(tab.body.querySelector('dialog')).toBeNull()
  tab.data.project!.role = 'member'
  await draw()
  expect(tab.names()).toEqual([])
})

const filterOf = () =>
  unpackRules(new URL(tab.button('See ').getAttribute('href')!, 'http://x').searchParams.get('filter') ?? undefined)

test('Those who were brought in are found by the tag or the list that they were given.', async () => {
  const done = (options: object | null) => draw({ status: 'completed', options })
  const is = (field: string, id: number) => ({ op: 'and', rules: [{ field, operator: 'in', value: [id] }] })
  await done({ tag_ids: [5, 6], list_ids: [1] })
  expect(filterOf()).toEqual(is('tag', 5) as never)
  expect(tab.button('Write to everybody with this tag').getAttribute('href')).toEndWith(
    '/campaigns/new?audience=tag%3A5',
  )
  await done({ tag_ids: [], list_ids: [1] })
  expect(filterOf()).toEqual(is('list', 1) as never)
  // Others are on the list, too.
  expect(tab.names()).toEqual(['See everybody on the list', 'Write to the list'])
  for (const options of [null, {}, { list_ids: [] }]) {
    await done(options)
    expect(tab.button('See ').getAttribute('href')).toBe('/portal/projects/harbour/contacts')
  }
  expect(tab.names()).toContain('New campaign')
  tab.data.project!.role = 'member'
  await done({})
  expect(tab.names()).toEqual(['See all contacts'])
})

test('Failures are told, with the rows of which they are known.', async () => {
  await draw({ status: 'failed', error: 'The disk is full.', counters: { ...COUNTERS, failed: 12 } })
  expect(tab.text('.callout')).toBe('The import stopped.The disk is full.')
  expect(tab.all('.tile').at(-1)!.getAttribute('class')).toContain('bad')
  expect(tab.body.querySelector('h2')).toBeNull()
  const row_errors = [{ row: 1, field: null, value: null, code: 'malformed', message: 'No.' }]
  await draw({ status: 'completed', row_errors, counters: { ...COUNTERS, failed: 12 } })
  expect(tab.text('h2')).toBe('Flaws: the first 1 of 12')
})
