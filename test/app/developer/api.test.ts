import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../support/tab.ts'
import Api from '../../../static/app/developer/api.tsx'

const project = (id: string) => ({ id, slug: id, name: `Site ${id}`, role: 'owner' as const })
const tab = useTab({ scope: '/portal/developer', project: null, projects: [project('p1'), project('p2')] })
const ROOT = 'GET /general/api/v1'

const content = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } })
const described = (operationId: string, tag: string, more: object = {}) => ({
  ...{ operationId, summary: `${operationId} does it.`, description: '', tags: [tag], security: [{ apiKey: [] }] },
  ...{ parameters: [], responses: { 200: { description: 'Done', ...content({}) } } },
  ...more,
})
const BODY = {
  type: 'object',
  required: ['name'],
  properties: {
    ...{ project_id: { type: 'string' }, idempotency_key: { type: 'string' } },
    ...{ size: { type: 'integer', minimum: 1 }, name: { type: 'string', description: 'What it is.' } },
  },
}
const NEWSLETTER = {
  components: { schemas: {} },
  paths: {
    '/lists/list': {
      post: described('lists/list', 'lists', { requestBody: content({ type: 'object', properties: {} }) }),
    },
    '/lists/create': {
      post: described('lists/create', 'lists', {
        requestBody: content(BODY),
        parameters: [{ name: 'Idempotency-Key', in: 'header', required: false, schema: {} }],
      }),
    },
  },
}
const PLATFORM = {
  components: { schemas: {} },
  paths: {
    '/project/members/{id}': {
      get: described('GET /project/members/{id}', 'project-members', {
        security: [{ session: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: {}, description: 'Who.' },
          { name: 'project_id', in: 'query', required: true, schema: {} },
        ],
      }),
    },
  },
}
async function open(query = '') {
  tab.answers[`${ROOT}/newsletter/openapi.json`] = NEWSLETTER
  tab.answers[`${ROOT}/openapi.json`] = PLATFORM
  await tab.open(Api, `/api${query}`)
}
const listed = () => tab.texts('nav li')

test('Every operation and route is listed by its group, and found by all words of its name and summary.', async () => {
  await open()
  expect(tab.texts('nav h2')).toEqual(['Lists', 'Project members'])
  expect(listed()).toEqual(['lists/list', 'lists/create', 'GET /project/members/{id}'])
  expect(tab.text()).toContain('Choose a call.')
  await tab.type('Search calls', 'DOES create')
  expect(listed()).toEqual(['lists/create'])
  await tab.type('Search calls', 'zzz')
  expect(tab.text('nav')).toContain('No call matches.')
})

test('The address names the call that is open and the project that it is tried with.', async () => {
  await open('?operation=lists%2Flist&project=p2')
  expect(tab.text('.api-name')).toBe('lists/list')
  expect(tab.texts('[aria-current=page]')).toEqual(['lists/list'])
  expect(tab.field('Project').value).toBe('p2')
  expect(tab.button('All calls').getAttribute('href')).toBe('/portal/developer/api?project=p2')
  expect(tab.button('lists/create').getAttribute('href')).toBe(
    '/portal/developer/api?operation=lists%2Fcreate&project=p2',
  )
  await open('?operation=nothing')
  expect(tab.text()).toContain('Choose a call.')
})

test('Calls that cannot be loaded are asked for again.', async () => {
  tab.answers[`${ROOT}/newsletter/openapi.json`] = NEWSLETTER
  tab.answers[`${ROOT}/openapi.json`] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Api, '/api')
  expect(tab.text()).toContain('The calls could not be loaded.')
  tab.answers[`${ROOT}/openapi.json`] = PLATFORM
  await tab.press('Try again')
  expect(listed()).toHaveLength(3)
})
