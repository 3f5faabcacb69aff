import { expect, test } from 'bun:test'
import { h } from 'preact'
import type { Call, CallGroup } from '../../../src/shared/calls.ts'
import { Refusal, useTab } from '../../support/tab.ts'
import { ApiCall } from '../../../static/app/developer/api-call.tsx'

const project = (id: string) => ({ id, slug: id, name: `Site ${id}`, role: 'owner' as const })
const tab = useTab({ scope: '/portal/developer', project: null, projects: [project('p1'), project('p2')] })
const BODY = {
  type: 'object',
  required: ['name'],
  properties: {
    ...{ project_id: { type: 'string' }, idempotency_key: { type: 'string' } },
    ...{ size: { type: 'integer', minimum: 1 }, name: { type: 'string', description: 'What it is.' } },
  },
}
const parameter = (name: string, place: string, required = false) => ({ name, in: place, required, schema: {} })
const call = (more: Partial<Call> = {}): Call => ({
  ...{ name: 'lists/create', group: 'lists', anchor: 'create', method: 'POST', summary: 'Makes a list.' },
  ...{ path: '/general/api/v1/newsletter/lists/create', auth: 'key', scope: null, needs_key: false, parameters: [] },
  ...{ description: 'Uses `name`.', body: BODY, body_type: 'application/json', answer: {}, refusals: [] },
  ...{ example: { name: 'Weekly' }, answer_example: null },
  ...more,
})
const MEMBER = call({
  ...{ name: 'GET /project/members/:id', method: 'GET', path: '/project/members/{id}', auth: 'session', body: null },
  ...{ body_type: null, parameters: [parameter('id', 'path', true), parameter('projectId', 'query', true)] },
})
const GROUP: CallGroup = {
  ...{ section: 'newsletter', name: 'lists', title: 'Lists' },
  ...{ href: '/docs/api/lists', calls: [], schemas: {} },
}
const draw = (one: Call, named?: string) => tab.draw(h(ApiCall, { call: one, group: GROUP, project: named }))
const reason = () => tab.texts('.button-reason')[0]
const snippet = () => tab.texts('.code code').at(-1)
const OWN = 'lists/create'

test('A call that only reads is tried at once, with what the page fills in below what is written.', async () => {
  tab.answers[OWN] = { id: 5 }
  await draw(call())
  expect(tab.button('Answer and errors').getAttribute('href')).toBe('/docs/api/lists#create')
  await tab.type('Body', '{"name":"Weekly"}')
  await tab.press('Try it')
  expect(tab.sent(OWN)).toEqual([{ project_id: 'p1', name: 'Weekly' }])
  expect(tab.text('.badge')).toBe('200')
  expect(tab.text()).toContain('"id": 5')
  await tab.type('Body', '{"project_id":"p9","name":"Weekly"}')
  await tab.press('Try it')
  expect(tab.sent(OWN)[1]).toEqual({ project_id: 'p9', name: 'Weekly' })
})

test('A call that changes something asks once in a visit, and says whose data it changes.', async () => {
  tab.answers[OWN] = {}
  const UPDATE = 'POST /project/update'
  await draw(call({ name: UPDATE, path: '/project/update', auth: 'session' }), 'p1')
  await tab.press('Try it')
  expect([tab.text('dialog h2'), tab.sent(UPDATE)]).toEqual(['This changes real data of Site p1', []])
  await draw(call({ needs_key: true }), 'p2')
  await tab.type('Idempotency key', 'k1')
  await tab.press('Try it')
  expect(tab.text('dialog h2')).toBe('This changes real data of Site p2')
  await tab.press('Not now')
  expect(tab.sent(OWN)).toEqual([])
  await tab.press('Try it')
  await tab.press('Send it')
  expect(tab.sent(OWN)[0]).toMatchObject({ project_id: 'p2', idempotency_key: 'k1' })
  await tab.press('New key')
  expect(tab.field('Idempotency key').value).toStartWith('web_')
  await tab.press('Try it')
  expect(tab.sent(OWN)).toHaveLength(2)
  expect(tab.sent(OWN)[1].idempotency_key).toBe(tab.field('Idempotency key').value)
})

test('With a key of the project no project is chosen, and a key must be there.', async () => {
  tab.answers['POST /general/api/v1/newsletter/lists/create'] = {}
  await draw(call())
  await tab.type('Credential', 'key')
  expect([reason(), tab.field('Credential').value]).toEqual(['Paste an API key.', 'key'])
  expect(tab.texts('label')).not.toContain('Project')
  await tab.type('API key', ' mh_1 ')
  await tab.type('Body', '{"name":"Weekly"}')
  await tab.press('Try it')
  const [{ headers, body }] = tab.calls as [(typeof tab.calls)[number]]
  expect([headers.get('authorization'), body]).toEqual(['mh_1', { name: 'Weekly' }])
  await tab.type('API key', '')
  await draw(call({ auth: 'oauth2' }))
  expect(reason()).toBe('Paste an access token.')
  expect(tab.texts('label')).not.toContain('Credential')
})

test('The parts of an address are given by the person or the page before anything is sent.', async () => {
  tab.answers['GET /project/members/u%2F1'] = {}
  await draw(MEMBER, 'p2')
  expect(tab.texts('label')).toEqual(['Project', 'id (required)'])
  expect(reason()).toBe('Give id.')
  await tab.type('id (required)', 'u/1')
  await tab.press('Try it')
  expect(tab.calls[0]!.url).toBe('/project/members/u%2F1?projectId=p2')
  await tab.type('Project', 'p1')
  expect(tab.address).toBe('/api?operation=GET+%2Fproject%2Fmembers%2F%3Aid&project=p1')
})

test('A body that is no object of JSON is not sent.', async () => {
  await draw(call())
  for (const text of ['{', '[]', 'null', '"a"']) {
    await tab.type('Body', text)
    expect(reason()).toBe('Write the body as a JSON object.')
    expect(tab.text('.field-flaw')).toBe('This is no JSON object.')
  }
})

test('A person without a project has nothing to try a call with; a body that asks for none needs none.', async () => {
  tab.data.projects = []
  await draw(call())
  expect(reason()).toBe('You are in no project, so there is nothing to try it with.')
  await draw(call({ auth: 'session', body: { type: 'object', properties: { name: { type: 'string' } } } }))
  expect(reason()).toBeUndefined()
  await draw(call({ auth: 'session' }))
  expect(reason()).toBe('You are in no project, so there is nothing to try it with.')
})

test('Calls of clients and those that take a file can only be copied.', async () => {
  await draw(call({ auth: 'client' }))
  expect(tab.text('.callout')).toContain('A client calls this with its secret')
  expect(tab.has('Try it')).toBe(false)
  await draw(call({ body_type: 'text/csv' }))
  expect(tab.text('.callout')).toContain('Its body is a file')
  expect(tab.texts('label')).not.toContain('Body')
  expect(snippet()).toContain('--data-binary @file')
})

test('Fields and the body say the same.', async () => {
  await draw(call())
  await tab.type('name (required)', 'Offers')
  expect(JSON.parse(tab.field('Body').value)).toMatchObject({ name: 'Offers' })
  await tab.type('Body', '{"name":"Weekly","size":2}')
  expect([tab.field('name').value, tab.field('size').value]).toEqual(['Weekly', '2'])
  expect(tab.texts('.api-fields label')).toEqual(['name (required)', 'size'])
})

test('The same call for programs has the project of a session, and no own one for a key.', async () => {
  await draw(call({ auth: 'session' }))
  await tab.type('Body', '{"name":"Weekly"}')
  expect(snippet()).toContain(`-d '{"project_id":"p1","name":"Weekly"}'`)
  expect(snippet()).toContain("'https://masthead.example/general/api/v1/newsletter/lists/create'")
  await draw(call({ needs_key: true }))
  await tab.type('Body', '{"name":"Weekly"}')
  await tab.type('Idempotency key', 'k1')
  expect(snippet()).toContain(`-d '{"name":"Weekly"}'`)
  expect(snippet()).toContain("'Idempotency-Key: k1'")
  await tab.press('Python')
  expect(snippet()).toContain('requests')
  await tab.press('TypeScript')
  expect(snippet()).toContain('client.call("lists/create", { name: "Weekly" })')
  // A call that the typed client does not have is shown by the first language.
  await draw(call({ auth: 'session' }))
  expect(snippet()).toStartWith('curl')
})

test('A refusal is an answer, and without any that is said.', async () => {
  tab.answers[OWN] = new Refusal(422, 'VALIDATION')
  await draw(call())
  await tab.press('Try it')
  expect(tab.find('.badge').getAttribute('class')).toContain('tone-wait')
  tab.answers[OWN] = () => Promise.reject(new TypeError('no network'))
  await tab.press('Try it')
  expect(tab.text()).toContain('There is no answer.The service could not be reached.')
  const answer = Promise.withResolvers()
  tab.answers[OWN] = () => answer.promise
  await tab.press('Try it')
  expect(tab.button('Try it').getAttribute('aria-busy')).toBe('true')
  expect(tab.text()).not.toContain('There is no answer.')
  answer.resolve({})
  await tab.settled()
  expect(tab.button('Try it').hasAttribute('aria-busy')).toBe(false)
})
