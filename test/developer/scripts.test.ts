import { beforeEach, expect, test } from 'bun:test'
import { createScript, getScript, updateScript } from '../../src/developer/scripts.ts'
import type { ScriptText } from '../../src/store/tables/developer.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { APPS, type Desk, openDesk, SCRIPT } from './desk.ts'

let desk: Desk
let app: any
beforeEach(async () => {
  desk = await openDesk()
  app = await desk.app()
})
const scripts = () => `${APPS}/${app.id}/scripts`

test('A script of an app in development is active at once, through creation, change and deletion.', async () => {
  const { script } = await desk.ok('outsider', 'POST', scripts(), {
    ...SCRIPT,
    parameters: { site: 'x', depth: 2, on: true, none: null },
  })
  expect(script).toEqual({
    id: expect.any(Number),
    ...SCRIPT,
    parameters: { site: 'x', depth: 2, on: true, none: null },
    parameter_formats: {},
    status: 'active',
    created_on: expect.any(String),
    last_update: expect.any(String),
  })
  expect(Number.isInteger(script.id)).toBe(true)
  expect(await desk.ok('outsider', 'GET', `${scripts()}/${script.id}`)).toEqual({ script, on_pages: false })
  const changed = {
    ...script,
    name: 'Counts',
    placement: 'HTML Body start',
    parameters: {},
    last_update: expect.any(String),
  }
  expect(
    await desk.ok('outsider', 'PATCH', `${scripts()}/${script.id}`, {
      name: 'Counts',
      placement: 'HTML Body start',
      parameters: {},
    }),
  ).toEqual({ script: changed })
  expect((await desk.ok('outsider', 'GET', scripts())).scripts).toContainEqual(changed)
  const kept = await desk.script(app.id)
  expect(await desk.ok('outsider', 'DELETE', `${scripts()}/${script.id}`)).toEqual({ success: true })
  for (const method of ['GET', 'DELETE'])
    expect((await desk.as('outsider', method, `${scripts()}/${script.id}`)).status).toBe(404)
  expect((await desk.ok('outsider', 'GET', scripts())).scripts).toEqual([kept])
  const other = await desk.app()
  const { id } = await desk.script(app.id)
  expect(id).toBeGreaterThan(script.id)
  for (const path of [`${APPS}/${other.id}/scripts/${id}`, `${scripts()}/0`, `${scripts()}/x`, `${scripts()}/99999`])
    expect((await desk.as('outsider', 'GET', path)).status).toBe(404)
})

test('A script that somebody saved meanwhile is not overwritten.', async () => {
  const script = await desk.script(app.id)
  const change = (name: string, expected_updated_at: string) =>
    desk.as('outsider', 'PATCH', `${scripts()}/${script.id}`, { name, expected_updated_at })
  const first = await change('Mine', script.last_update)
  expect(first).toMatchObject({ status: 200, body: { script: { name: 'Mine' } } })
  const { last_update } = first.body.script
  expect(await change('Theirs', script.last_update)).toMatchObject({
    status: 409,
    body: { error: 'conflict', details: [{ updated_at: last_update, updated_by: { name: 'outsider' } }] },
  })
  expect((await change('Later', last_update)).status).toBe(200)
})

test.each([
  ['no name', { name: undefined }],
  ['a blank name', { name: ' ' }],
  ['a name of 26 characters', { name: 'n'.repeat(26) }],
  ['a name of two lines', { name: 'a\nb' }],
  ['no type', { type: undefined }],
  ['a type spelled otherwise', { type: 'analytics' }],
  ['no placement', { placement: undefined }],
  ['a placement spelled otherwise', { placement: 'HTML Body Start' }],
  ['no code', { code: undefined }],
  ['empty code', { code: ' ' }],
  ['code above 64 kB', { code: 'x'.repeat(65_537) }],
  ['an open tag', { code: '<div>' }],
  ['an open script', { code: '<script>a()' }],
  ['an open comment', { code: '<!-- a' }],
  ['an unknown property', { active: true }],
  ['parameters that are no object', { parameters: ['a'] }],
  ['parameters that are null', { parameters: null }],
  ['an object as a value', { parameters: { a: {} } }],
  ['an array as a value', { parameters: { a: [] } }],
  ['a key with a blank', { parameters: { 'a b': 1 } }],
  ['an empty key', { parameters: { '': 1 } }],
  ['a key of 65 characters', { parameters: { ['k'.repeat(65)]: 1 } }],
  ['a value above 2 kB', { parameters: { a: 'é'.repeat(1025) } }],
  ['51 parameters', { parameters: Object.fromEntries(Array.from({ length: 51 }, (_, nth) => [`k${nth}`, 1])) }],
  ['a format that is none', { parameter_formats: { a: 'url' } }],
  ['formats that are no object', { parameter_formats: ['html'] }],
  ['formats that are null', { parameter_formats: null }],
  ['a format of a key with a blank', { parameter_formats: { 'a b': 'html' } }],
  [
    '51 formats',
    { parameter_formats: Object.fromEntries(Array.from({ length: 51 }, (_, nth) => [`k${nth}`, 'html'])) },
  ],
  ['an open default with the format html', { parameters: { a: '<!--' }, parameter_formats: { a: 'html' } }],
  ['more than a page can take once filled in', { code: '{{a}}'.repeat(1000), parameters: { a: 'x'.repeat(2000) } }],
])('A script is refused with %s.', async (_, more) => {
  expect(await desk.as('outsider', 'POST', scripts(), { ...SCRIPT, ...more })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  })
})

test('The text of a script has exact limits, counted in characters and bytes.', async () => {
  const name = '😀'.repeat(25)
  const parameters = Object.fromEntries(
    Array.from({ length: 50 }, (_, nth) => [`${'k'.repeat(62)}${nth + 10}`, 'é'.repeat(1024)]),
  )
  const script = await desk.script(app.id, { name, code: 'x'.repeat(65_536), parameters })
  expect(script).toMatchObject({ name, parameters })
  for (const bad of [{ name: 'n'.repeat(26) }, { code: '<div>' }, { parameters: { a: [] } }, { id: 5 }])
    expect((await desk.as('outsider', 'PATCH', `${scripts()}/${script.id}`, bad)).status).toBe(400)
  expect((await desk.ok('outsider', 'GET', `${scripts()}/${script.id}`)).script).toEqual(script)
})

test('Formats of parameters are returned, changed as a whole, and checked against the defaults.', async () => {
  const { id, parameter_formats } = await desk.script(app.id, {
    code: '<p>{{a}}{{b}}</p>',
    parameters: { a: '<b>' },
    parameter_formats: { a: 'text', b: 'html' },
  })
  expect(parameter_formats).toEqual({ a: 'text', b: 'html' })
  const change = (body: object) => desk.as('outsider', 'PATCH', `${scripts()}/${id}`, body)
  const refused = await change({ parameter_formats: { a: 'html' } })
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('parameters.a: ') } })
  expect((await change({ parameter_formats: { b: 'text' } })).body.script).toMatchObject({
    parameters: { a: '<b>' },
    parameter_formats: { b: 'text' },
    status: 'active',
  })
  expect((await change({ name: 'Other' })).body.script.parameter_formats).toEqual({ b: 'text' })
})

test('An app has at most 50 scripts, also when they are created at once.', async () => {
  const full = await desk.app()
  const made = await Promise.all(
    Array.from({ length: 55 }, () => desk.as('outsider', 'POST', `${APPS}/${full.id}/scripts`, SCRIPT)),
  )
  expect(made.filter(({ status }) => status === 200)).toHaveLength(50)
  expect(made.filter(({ status }) => status === 409)).toHaveLength(5)
  const { scripts: all } = await desk.ok('outsider', 'GET', `${APPS}/${full.id}/scripts`)
  // A version keeps the text of a removed script, which takes no room.
  await desk.ok('outsider', 'POST', `${APPS}/${full.id}/versions`, { notes: '' })
  await desk.ok('outsider', 'DELETE', `${APPS}/${full.id}/scripts/${all[0].id}`)
  expect((await desk.as('outsider', 'POST', `${APPS}/${full.id}/scripts`, SCRIPT)).status).toBe(200)
})

test('A script that is not saved is shown as sites would get it, with what stands in its way.', async () => {
  const app = await desk.app()
  const render = (body: object) => desk.ok('outsider', 'POST', `${APPS}/${app.id}/scripts/render`, body)
  const code = '<p title="{{town}}">{{town}}, {{ spaced }}, {{unit}}</p>'
  expect(await render({ code, parameters: { town: '"A" & B' } })).toEqual({
    code: '<p title="&quot;A&quot; & B">"A" &amp; B, {{ spaced }}, {{unit}}</p>',
    keys: ['town', 'unit'],
    problem: null,
    problem_at: null,
  })
  expect(await render({ code: '<b>1</b><script>' })).toMatchObject({
    problem: expect.stringContaining('open'),
    problem_at: { from: 8, to: 16 },
  })
  const html = { code: '<p>{{town}}</p>', parameter_formats: { town: 'html' } }
  expect((await render({ ...html, parameters: { town: '<i>' } })).problem_at).toEqual({ from: 3, to: 11 })
  const inTag = { code: '<p {{more}}></p>', parameters: { more: 'title="' } }
  expect(await render(inTag)).toMatchObject({ problem: expect.any(String), problem_at: null })
  expect((await desk.ok('outsider', 'GET', `${APPS}/${app.id}/scripts`)).scripts).toEqual([])
})

test('A script of an approved app is a draft while any part of it differs from what sites get.', async () => {
  const { id } = await newApp(await newUser())
  const { db } = await sharedStore()
  const text = { ...SCRIPT, parameters: { a: 'x' }, parameter_formats: { a: 'text' } } as ScriptText
  const { id: script_id } = await write((tx) => createScript(tx, { id, status: 'development' }, text, NOW))
  const statusWith = async (changes: Partial<ScriptText>) => {
    await write((tx) => updateScript(tx, { id, status: 'approved' }, { script_id, ...changes }, NOW))
    return (await getScript(db, id, script_id)).status
  }
  const changes: Partial<ScriptText>[] = [
    { name: 'Lamps' },
    { type: 'Essential' },
    { placement: 'HTML Body end' },
    { code: '<b>after</b>' },
    { parameters: { a: 'y' } },
    { parameter_formats: { a: 'html' } },
  ]
  for (const change of changes) expect([await statusWith(change), await statusWith(text)]).toEqual(['draft', 'active'])
})
