import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import { inTime } from '../../support/visit.ts'
import Apps from '../../../static/app/operator/apps.tsx'

const tab = useTab({ scope: '/portal/operator', project: null })
const LIST = 'POST /user/operator/apps/list'
const app = (id: string, more: object = {}) => ({
  ...{ id, displayName: `App ${id}`, status: 'approved', suspension: null, pending_review_id: null },
  ...{ creator: { email: 'ada@example.com' }, projects: 1_200, users: 3, script_connections: 4 },
  ...more,
})
const SUSPENDED = app('b', { suspension: { suspended_on: '2026-05-03T12:00:00.000Z', comment: 'It sent too much' } })
async function open(query = '', items: object[] = [app('a'), SUSPENDED], next_cursor: string | null = null) {
  tab.answers[LIST] = { items, next_cursor }
  await tab.open(Apps, `/apps${query}`)
}
const asked = () => tab.sent(LIST).at(-1)

test('All apps are listed with what they reach; one that waits leads to its review.', async () => {
  await open('', [app('a', { pending_review_id: 9 }), SUSPENDED])
  expect(asked()).toEqual({ limit: 50 })
  expect(rowsOf(tab, 'Apps').map((row) => row.slice(0, 6))).toEqual([
    ['App a', 'Approved', 'ada@example.com', '1,200', '3', '4'],
    ['App b Suspended', 'Approved', 'ada@example.com', '1,200', '3', '4'],
  ])
  expect(tab.all('.table-link').map((link) => link.getAttribute('href'))).toEqual(['/portal/operator/reviews/9'])
})

test.each([
  ['waiting', { waiting: true }],
  ['approved', { status: 'approved' }],
  ['development', { status: 'development' }],
  ['rejected', { status: 'rejected' }],
  ['suspended', { suspended: true }],
  ['other', {}],
])('The state "%s" of the address is asked for.', async (state, filter) => {
  await open(`?state=${state}&search=ti&cursor=c`)
  expect(asked()).toEqual({ ...filter, search: 'ti', cursor: 'c', limit: 50 })
})

test('A state is chosen in the address, which keeps the search.', async () => {
  await open('?search=ti')
  await tab.press('Suspended')
  expect(tab.address).toBe('/apps?search=ti&state=suspended')
  await tab.press('All')
  expect(tab.address).toBe('/apps?search=ti')
  await open('?state=approved', [app('a')], 'c2')
  await tab.press('Older')
  expect(tab.address).toBe('/apps?state=approved&cursor=c2')
})

test('A name is searched for in the address, which keeps the state.', async () => {
  await inTime(tab, async (pass) => {
    await open('?state=approved&cursor=c')
    await tab.type('Search name or maker', ' ti ')
    await pass(1_000)
    expect(tab.address).toBe('/apps?search=ti&state=approved')
    await tab.type('Search name or maker', '')
    await pass(1_000)
    expect(tab.address).toBe('/apps?state=approved')
  })
})

test('Without any app that is said, and where none matches the filters can be cleared.', async () => {
  await open('', [])
  expect(tab.text()).toContain('Nobody has made an app yet.')
  for (const query of ['?search=x', '?state=approved']) {
    await open(query, [])
    expect(tab.button('Clear filters').getAttribute('href')).toBe('/portal/operator/apps')
  }
  tab.answers[LIST] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Apps, '/apps')
  expect(tab.text()).toContain('Apps could not be loaded.')
})

const SUSPEND = 'POST /user/developer/apps/a/suspend'
const LIFT = 'POST /user/developer/apps/b/unsuspend'

test('An app is suspended with a reason.', async () => {
  tab.answers[SUSPEND] = new Refusal(409, 'CONFLICT', undefined, 'It is.')
  await open()
  await tab.press('Suspend… App a')
  expect(tab.text('dialog')).toContain('Its access to 1,200 projects stops')
  await tab.type('Reason', ' ')
  expect(tab.text('.button-reason')).toBe('Say why.')
  await tab.press('Suspend 1 app')
  expect(tab.sent(SUSPEND)).toEqual([])
  await tab.type('Reason', 'It sent too much.')
  await tab.press('Suspend 1 app')
  expect(tab.text('dialog')).toContain('It is.')
  tab.answers[SUSPEND] = {}
  tab.answers[LIST] = { items: [SUSPENDED], next_cursor: null }
  await tab.press('Suspend 1 app')
  expect(tab.sent(SUSPEND)).toEqual([{ comment: 'It sent too much.' }, { comment: 'It sent too much.' }])
  expect(tab.body.querySelector('dialog')).toBeNull()
  expect(rowsOf(tab, 'Apps')).toHaveLength(1)
})

test('The effects of suspending an app of one project are told in words for one.', async () => {
  await open('', [app('a', { projects: 1 })])
  await tab.press('Suspend… App a')
  expect(tab.text('dialog')).toContain('Its access to 1 project stops')
})

test('A suspension is lifted at once, without another reason.', async () => {
  tab.answers[LIFT] = {}
  await open()
  await tab.press('Lift… App b')
  expect(tab.text('dialog')).toContain('Suspended on 3 May 2026: It sent too much.')
  await tab.press('Lift the suspension')
  expect(tab.sent(LIFT)).toHaveLength(1)
  expect(tab.body.querySelector('dialog')).toBeNull()
})
