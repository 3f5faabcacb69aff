import { validate } from '@cfworker/json-schema'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { samples, type Seed, seed } from '../../operation/samples.ts'
import { schemasByReference } from '../../support/documented-answers.ts'
import { routeSamples } from '../route-samples.ts'
import { createSiteWorld, type SiteWorld } from '../site-world.ts'

/** What depends on the request alone is refused by its JSON Schema, too, so that a client can find it. */

let world: SiteWorld
let seeded: Seed
let platform: any
let newsletter: any
beforeAll(async () => {
  world = await createSiteWorld()
  seeded = await seed(world)
  platform = await (await world.fetch('/general/api/v1/openapi.json')).json()
  newsletter = await (await world.fetch('/general/api/v1/newsletter/openapi.json')).json()
})
afterAll(() => world.close())

function fits(document: any, call: any, body: unknown): boolean {
  const { schema } = call.requestBody.content['application/json']
  return validate(body, schema, '2020-12', schemasByReference(document)).valid
}

const APPS = '/user/developer/apps'
const SCRIPTS = `${APPS}/:id/scripts`
test.each<[path: string, flaw: Record<string, unknown>]>([
  ['/project/create', { name: 'two\nlines' }],
  ['/project/create', { name: ' ' }],
  ['/project/create', { slug: 'Harbour News' }],
  ['/project/create', { domain: 'https://news.example/' }],
  ['/project/invitations/create', { email: 'ada' }],
  ['/user/password/change', { password: 'short' }],
  [APPS, { redirect_uris: ['http://tides.example/'] }],
  [APPS, { redirect_uris: ['https://tides.example/#done'] }],
  [APPS, { redirect_uris: ['https://ada@tides.example/'] }],
  [APPS, { scopes: ['everything'] }],
  [APPS, { scope_reasons: { profile: ' ' } }],
  [SCRIPTS, { code: ' ' }],
  [SCRIPTS, { parameters: [] }],
  [SCRIPTS, { parameters: { 'two words': 1 } }],
  [SCRIPTS, { parameters: { list: [1] } }],
  ['/project/pages/create', { path: 'about' }],
  ['/project/pages/create', { path: '/a/../b' }],
  ['/project/pages/create', { html: '\u0000' }],
  ['/project/form-entries/delete', { entry_ids: [1], form: 'contact' }],
  ['/user/review-requests/:id/reject', { comment: undefined }],
  ['/user/review-requests/:id/reject', { comment: ' ' }],
])('%s with %j is refused by the service and by its schema.', async (path, flaw) => {
  const { params = {}, body, cookie } = await routeSamples[`POST ${path}`]!(world)
  const call = platform.paths[path.replace(/:(\w+)/g, '{$1}')].post
  const named = path.startsWith('/project/') && path !== '/project/create'
  const good = { ...(named && { project_id: world.project.public_id }), ...body }
  const bad = JSON.parse(JSON.stringify({ ...good, ...flaw })) as unknown
  const response = await world.fetch(
    path.replace(/:(\w+)/g, (_, name: string) => String(params[name])),
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookie ?? (await world.cookie('owner')) },
      body: JSON.stringify(bad),
    },
  )
  expect([fits(platform, call, good), fits(platform, call, bad), response.status]).toEqual([true, false, 400])
})

const rule = (given: object) => ({ rules: { op: 'and', rules: [given] } })
test.each<[path: string, flaw: Record<string, unknown>]>([
  ['/contacts/upsert', { consent: { ip: 'here' } }],
  ['/connections/create', { host: 'two words' }],
  ['/connections/create', { bounce_domain: 'localhost' }],
  ['/segments/preview', rule({ field: 'shoe_size', operator: 'eq', value: '42' })],
  ['/segments/preview', rule({ field: 'email', operator: 'is_set', value: 'x' })],
  ['/segments/preview', rule({ field: 'email', operator: 'in', value: 'x' })],
  ['/segments/preview', rule({ field: 'email', operator: 'eq', value: '' })],
  ['/segments/preview', rule({ field: 'created_at', operator: 'between', value: '2026-01-01' })],
  ['/segments/preview', rule({ field: 'created_at', operator: 'in_last_days', value: 0 })],
  ['/segments/preview', rule({ field: 'tag', operator: 'in', value: ['one'] })],
])('%s with %j is refused by the operation and by its schema.', async (path, flaw) => {
  const good = await samples[path]!(seeded, world)
  const bad = { ...good, ...flaw }
  const call = newsletter.paths[path].post
  const { status } = await world.call(path, bad)
  expect([fits(newsletter, call, good), fits(newsletter, call, bad), status]).toEqual([true, false, 400])
})

test('A sign-up has either a form or a wording.', async () => {
  const call = platform.paths['/general/newsletter/signup'].post
  const person = { project_id: 'prj_1', email: 'ada@example.com' }
  const wordings = [{ consent_text: 'Yes.' }, { form_id: 'frm_1' }, {}, { consent_text: 'Yes.', form_id: 'frm_1' }]
  expect(wordings.map((wording) => fits(platform, call, { ...person, ...wording }))).toEqual([true, true, false, false])
})

test('A rule has the operators that schema/get gives its field, by the schema and by the service.', async () => {
  const { rule_fields, operators } = await world.ok('schema/get')
  const every = [...new Set(Object.values<string[]>(operators).flat())]
  const named = schemasByReference(newsletter)
  const isFit = (rule: object) => validate(rule, newsletter.components.schemas.Rule, '2020-12', named).valid
  for (const { field, type, operators: own } of rule_fields.filter((one: any) => !one.field.startsWith('custom.'))) {
    const { id } = type === 'list' ? (await world.ok('lists/create', { name: `${field} 1` })).list : { id: 1 }
    for (const operator of every) {
      const given = { field, operator, ...valueOf(type, operator, id) }
      const fitting = isFit(given)
      expect([given, fitting]).toEqual([given, own.includes(operator)])
      // Tags and segments that do not exist are not found.
      if (fitting && !['tag', 'segment'].includes(type))
        expect([given, (await world.call('segments/preview', rule(given))).status]).toEqual([given, 200])
    }
  }
})

function valueOf(type: string, operator: string, id: number): { value?: unknown } {
  if (operator.endsWith('set') || type === 'engagement') return {}
  if (operator.endsWith('last_days')) return { value: 7 }
  if (['list', 'tag', 'segment'].includes(type)) return { value: [id] }
  const one = type === 'date' ? '2026-01-01' : 'subscribed'
  if (operator === 'between') return { value: [one, one] }
  return { value: operator === 'in' || operator === 'not_in' ? [one] : one }
}
