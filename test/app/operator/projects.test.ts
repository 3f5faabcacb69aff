import { expect, jest, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import Projects from '../../../static/app/operator/projects.tsx'

const tab = useTab({ scope: '/portal/operator', project: null })
const LIST = 'POST /user/operator/projects/list'
const LIMITS = 'POST /user/operator/projects/limits'
const project = (id: string, more: object = {}) => ({
  ...{
    id,
    name: `Site ${id}`,
    slug: id,
    domain: null,
    owners: [{ email: 'ada@example.com' }, { email: 'bo@example.com' }],
  },
  ...{ contacts: 1_200, contact_limit: null, sent_this_month: 5, monthly_limit: null },
  ...more,
})
const LIMITED = project('b', { domain: 'b.example', contact_limit: 5_000, monthly_limit: 0 })
async function open(query = '', items: object[] = [project('a'), LIMITED], next_cursor: string | null = null) {
  tab.answers[LIST] = { items, next_cursor }
  await tab.open(Projects, `/projects${query}`)
}

test('All projects are listed with what they use of what they may.', async () => {
  await open('?search=s&cursor=c')
  expect(tab.sent(LIST)).toEqual([{ search: 's', cursor: 'c', limit: 50 }])
  expect(rowsOf(tab, 'Projects').map((row) => row.slice(0, 4))).toEqual([
    ['Site a a', 'ada@example.com, bo@example.com', '1,200', '5'],
    ['Site b b.example', 'ada@example.com, bo@example.com', '1,200 of 5,000', '5 of 0'],
  ])
})

test('Limits are set, and an empty field is none.', async () => {
  tab.answers[LIMITS] = new Refusal(422, 'VALIDATION', undefined, 'It is too small.')
  await open()
  await tab.press('Set limits of Site b')
  expect([tab.field('Messages a month').value, tab.field('Contacts').value]).toEqual(['0', '5000'])
  await tab.type('Messages a month', '100')
  await tab.type('Contacts', '')
  await tab.press('Save')
  expect(tab.text('dialog')).toContain('It is too small.')
  tab.answers[LIMITS] = {}
  tab.answers[LIST] = { items: [project('b', { monthly_limit: 100 })], next_cursor: null }
  await tab.press('Save')
  expect(tab.sent(LIMITS)[1]).toEqual({ project_id: 'b', monthly_limit: 100, contact_limit: null })
  expect(tab.body.querySelector('dialog')).toBeNull()
  expect(rowsOf(tab, 'Projects')[0]![3]).toBe('5 of 100')
  await tab.press('Set limits of Site b')
  expect(tab.field('Contacts').value).toBe('')
  await tab.press('Close')
})

test('The address follows the search, and older rows keep it.', async () => {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  await open('', [project('a')], 'c2')
  await tab.type('Search name or owner', ' ada ')
  await tab.pass(250)
  expect([tab.address, tab.pushed]).toEqual(['/projects?search=ada', []])
  expect(tab.sent(LIST).map(({ search }) => search)).toEqual([undefined, 'ada'])
  tab.answers[LIST] = { items: [LIMITED], next_cursor: 'c2' }
  await tab.type('Search name or owner', 'bo')
  await tab.pass(250)
  expect(rowsOf(tab, 'Projects')[0]![0]).toBe('Site b b.example')
  await tab.type('Search name or owner', 'ada')
  await tab.pass(250)
  await tab.press('Older')
  expect(tab.address).toBe('/projects?search=ada&cursor=c2')
})

test('Without any project that is said, and where none matches too.', async () => {
  await open('', [])
  expect(tab.text()).toContain('There is no project yet.')
  await open('?search=x', [])
  expect(tab.text()).toContain('No project matches.')
  tab.answers[LIST] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Projects, '/projects')
  expect(tab.text()).toContain('Projects could not be loaded.')
})
