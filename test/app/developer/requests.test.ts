import { expect, jest, test } from 'bun:test'
import { AT, appAnswers, ROUTE } from '../../support/developer-app.ts'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import Requests from '../../../static/app/developer/requests.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
const CALLS = `${ROUTE}/requests`
const call = (id: number, more: object = {}) => ({
  ...{ id, method: 'POST', route: '/lists/list', status: 200, error: null, duration_ms: 1_200 },
  ...{ project_id: 'prj_1', request_id: `req_${id}`, time: AT },
  ...more,
})
async function open(query = '', requests: object[] = [call(1)]) {
  Object.assign(tab.answers, appAnswers(), { [CALLS]: { requests } })
  await tab.open(Requests, `/apps/app_1/requests${query}`, { id: 'app_1' })
}
const asked = () => tab.calls.filter(({ name }) => name === CALLS).map(({ url }) => url.split('?')[1])

test('Calls are shown with their outcome, and one leads to its own words.', async () => {
  await open('', [
    call(3, { status: 399 }),
    call(2, { status: 404, error: 'not_found', project_id: null }),
    call(1, { status: 500 }),
  ])
  expect(asked()).toEqual(['limit=50'])
  expect(rowsOf(tab, 'Calls').map((row) => row.slice(0, 5))).toEqual([
    ['POST /lists/list', '399', '1,200 ms', 'prj_1', 'req_3'],
    ['POST /lists/list', '404 not_found', '1,200 ms', '', 'req_2'],
    ['POST /lists/list', '500', '1,200 ms', 'prj_1', 'req_1'],
  ])
  expect(tab.all('.badge').map((badge) => badge.getAttribute('class'))).toEqual([
    ...['badge tone-good', 'badge tone-wait', 'badge tone-bad'],
  ])
  expect(tab.button('POST').getAttribute('href')).toBe('/portal/developer/apps/app_1/requests?open=3')
})

test('The filters of the address are asked for; a status only when it is whole.', async () => {
  await open('?status=40&error=NOT_FOUND&project=&method=POST')
  expect(asked()).toEqual(['limit=50&error=NOT_FOUND&method=POST'])
  await open('?status=404&before=77')
  expect(asked()[1]).toBe('limit=50&status=404&before_id=77')
  expect(tab.field('Status').value).toBe('404')
  expect(tab.texts('label').slice(0, 7)).toEqual([
    ...['Outcome', 'Request id', 'Status', 'Error', 'Project', 'Method', 'Call'],
  ])
  await open('?outcome=4xx&request_id=req_7')
  expect(asked()[2]).toBe('limit=50&request_id=req_7&status_class=4xx')
})

test('The address follows what is typed, a moment later.', async () => {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  await open('?before=9')
  await tab.type('Method', 'PO')
  await tab.type('Method', 'POST')
  expect(tab.address).toBe('/apps/app_1/requests?before=9')
  await tab.pass(300)
  expect([tab.address, tab.pushed]).toEqual(['/apps/app_1/requests?method=POST', []])
  expect(asked().at(-1)).toBe('limit=50&method=POST')
})

test('Where no call matches, the filters can be cleared; without any nothing was called.', async () => {
  await open('?method=PUT', [])
  expect(tab.text()).toContain('No call matches.')
  await tab.press('Clear filters')
  expect(tab.field('Method').value).toBe('')
  await open('', [])
  expect(tab.text()).toContain('It made no call in the last 7 days.')
})

test('A full page leads on, with its filters.', async () => {
  await open(
    '?method=POST',
    Array.from({ length: 50 }, (_, at) => call(100 - at)),
  )
  await tab.press('Older')
  expect(new URLSearchParams(tab.address.split('?')[1]).get('before')).toBe('51')
  expect(tab.address).toContain('method=POST')
  await open(
    '',
    Array.from({ length: 49 }, (_, at) => call(100 - at)),
  )
  expect(tab.has('Older')).toBe(false)
})

const opened = (id: number, more: object = {}) =>
  (tab.answers[`${CALLS}/${id}`] = {
    request: {
      ...call(id),
      address: '/general/api/v1/newsletter/lists/list',
      sent: '{"limit":5}',
      answer: '{"data":[]}',
      ...more,
    },
  })

test('An open call shows its request, its answer and what went wrong, and is closed again.', async () => {
  const answer = '{"error":{"code":"NOT_FOUND","message":"There is no such list."}}'
  opened(2, { route: '/newsletter/lists/get', status: 404, error: 'NOT_FOUND', project_id: null, answer })
  await open('?open=2&method=POST')
  expect(tab.text('dialog h2')).toBe('POST /newsletter/lists/get')
  expect(tab.texts('dialog dd').slice(0, 4)).toEqual([
    ...['404', 'NOT_FOUND There is no such list.', '1,200 ms', 'none was named'],
  ])
  expect(tab.button('NOT_FOUND').getAttribute('href')).toBe('/docs/errors#NOT_FOUND')
  expect(tab.button('What the call takes').getAttribute('href')).toBe('/docs/api/lists#lists_get')
  expect(tab.texts('dialog pre')).toEqual([
    ...['req_2', 'POST /general/api/v1/newsletter/lists/list { "limit": 5 }'],
    '{ "error": { "code": "NOT_FOUND", "message": "There is no such list." } }',
  ])
  await tab.press('Close')
  expect(tab.address).toBe('/apps/app_1/requests?method=POST')
})

test('The error of an open call leads to its explanation, whichever route answered it.', async () => {
  for (const [route, error, anchor] of [
    ['/general/oauth/token', 'invalid_request', 'invalid_request'],
    ['/general/api/v1/app/events', 'unauthorized_client', 'unauthorized_client'],
    ['/project/list', 'invalid_token', 'INVALID_TOKEN'],
    ['/project/list', 'invalid_request', 'codes'],
  ] as const) {
    opened(2, { route, error })
    await open('?open=2')
    expect(tab.button(error).getAttribute('href')).toBe(`/docs/errors#${anchor}`)
  }
})

test('An open call says where nothing is kept of it, and one that is gone can be asked for again.', async () => {
  opened(1, { address: null, sent: null, answer: null })
  await open('?open=1')
  expect(tab.texts('dialog dd').slice(0, 3)).toEqual(['200', '1,200 ms', 'prj_1'])
  expect(tab.text('dialog')).toContain('What this call sent and got is not kept.')
  opened(1, { sent: null, answer: null })
  await open('?open=1')
  expect(tab.texts('dialog pre')).toEqual(['req_1', 'POST /general/api/v1/newsletter/lists/list'])
  expect(tab.text('dialog')).toContain('it was no JSON')
  tab.answers[`${CALLS}/1`] = new Refusal(404, 'NOT_FOUND')
  await open('?open=1')
  expect(tab.text('dialog')).toContain('The call could not be loaded.')
})

test('It looks again by itself while that is switched on.', async () => {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  await open()
  const pass = async () => {
    await tab.pass(5_000)
    return asked().length
  }
  expect(await pass()).toBe(1)
  await tab.check('Look again every 5 seconds')
  expect([await pass(), await pass()]).toEqual([2, 3])
})

test('Calls that cannot be loaded are asked for again.', async () => {
  Object.assign(tab.answers, appAnswers(), { [CALLS]: new Refusal(403, 'FORBIDDEN') })
  await tab.open(Requests, '/apps/app_1/requests', { id: 'app_1' })
  expect(tab.text()).toContain('Calls could not be loaded.')
  tab.answers[CALLS] = { requests: [call(1)] }
  await tab.press('Try again')
  expect(rowsOf(tab, 'Calls')).toHaveLength(1)
})
