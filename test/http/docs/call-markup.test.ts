import { $ } from 'bun'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupMarkup, snippetOf } from '../../../src/http/docs/call-markup.ts'
import type { Call } from '../../../src/shared/calls.ts'
import { GUIDES } from '../../../src/http/docs/guides.ts'
import { makeReference } from '../../../src/http/docs/reference.ts'
import { declaredRoutes } from '../../../src/http/routes.ts'
import type { Schemas } from '../../../src/shared/schema-fields.ts'
import { curl, fetchCode, python, type SnippetCall } from '../../../src/shared/snippets.ts'
import { samples, seed, type Seed } from '../../operation/samples.ts'
import { routeSamples } from '../route-samples.ts'
import { createSiteWorld, type SiteWorld } from '../site-world.ts'

/**
 * Each example of the reference and of the guides is run as it stands against a service: a command of each shape and
 * those of the guides by a shell, of the others the code in JavaScript, which takes far less time.
 */

let world: SiteWorld
let seeded: Seed
beforeAll(async () => {
  world = await createSiteWorld()
  seeded = await seed(world)
})
afterAll(() => world.close())

/** What the shell of a reader has: the own credentials, and a program that makes keys. */
async function shell(of: SiteWorld, more: Record<string, string> = {}) {
  return {
    MASTHEAD_KEY: of.keys.owner,
    MASTHEAD_TOKEN: await of.token('owner'),
    MASTHEAD_COOKIE: await of.cookie('owner'),
    PROJECT: of.project.public_id,
    ...more,
  }
}

async function run(script: string, env: Record<string, string>): Promise<{ status: number; text: string }> {
  const line = `uuidgen() { echo key-$RANDOM-$RANDOM-$RANDOM; }\n${script} -sS -w '\\n%{http_code}'`
  const out = await $`bash -c ${line}`
    .cwd(world.folder)
    .env({ PATH: process.env.PATH!, ...env })
    .text()
  const at = out.lastIndexOf('\n')
  return { status: Number(out.slice(at + 1)), text: out.slice(0, at) }
}

/** The shapes of commands that a shell has run. */
const seen = new Set<string>()

/** Runs the example of a call in one of its languages. */
async function runExample(call: SnippetCall, env: Record<string, string>, file?: Uint8Array): Promise<string> {
  const command = curl(call)
  const { method, auth, idempotency_key, file_type, body } = call
  const isQuoted = command.includes(`'\\''`)
  const shape = [method, auth, idempotency_key, file_type, body === null, isQuoted].join(' ')
  const isNew = seen.size < seen.add(shape).size
  const { status, text } = await (isNew ? run(command, env) : runCode(fetchCode(call), env, file))
  return status < 300 ? 'succeeds' : `${isNew ? command : fetchCode(call)}\n${text}`
}

async function runCode(code: string, env: Record<string, string>, file?: Uint8Array) {
  const read = code.replace('await answer.json()', 'await answer.text()')
  const values = { ...env, file }
  const body = `return (async () => { ${read}\nreturn { status: answer.status, text: result } })()`
  return (await new Function(...Object.keys(values), body)(...Object.values(values))) as Awaited<ReturnType<typeof run>>
}

const { api, platform } = makeReference(declaredRoutes())
const operations = [...api.values()].flatMap(({ calls }) => calls.map((call) => [call.name, call] as const))

/** Ids and unique values of the example, in place of which a sample has those of things that are there. */
const VARIES = /(^|_)ids?$|^(add|email|name|key|tag_name|template_id)$/

test.each(operations)('The example of %s succeeds.', async (name, call) => {
  const sample = await samples[`/${name}`]!(seeded, world)
  const snippet = snippetOf(call, world.url)
  const example = Object.entries(snippet.body as Record<string, unknown>)
  const body = Object.fromEntries(
    example.map(([field, value]) => [field, VARIES.test(field) && field in sample ? sample[field] : value]),
  )
  expect(await runExample({ ...snippet, body }, await shell(world))).toBe('succeeds')
})

const routes = [...platform.values()].flatMap(({ calls }) =>
  calls
    .map((call) => [call.name.replace(/\{(\w+)\}/g, ':$1'), call] as const)
    .filter(([name, { auth }]) => name in routeSamples && (auth === 'session' || auth === 'oauth2')),
)

test.each(routes)('The example of %s succeeds with the values of somebody.', async (name, call) => {
  const { params = {}, query = {}, body = {}, file, cookie } = await routeSamples[name]!(world)
  const project = { project_id: world.project.public_id }
  const given: Record<string, unknown> = { ...project, ...body }
  const snippet = snippetOf(call, world.url)
  const url = new URL(snippet.url)
  url.pathname = call.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])))
  for (const key of url.searchParams.keys()) url.searchParams.set(key, String({ ...project, ...query }[key]))
  const shown = Object.entries((snippet.body ?? {}) as Record<string, unknown>)
  const filled = Object.fromEntries(shown.map(([key, value]) => [key, key in given ? given[key] : value]))
  if (file) await Bun.write(join(world.folder, 'file'), file)
  const env = await shell(world, cookie ? { MASTHEAD_COOKIE: cookie } : {})
  const example = { ...snippet, url: url.href, body: snippet.body === null ? null : filled }
  expect(await runExample(example, env, file)).toBe('succeeds')
})

describe.each([...GUIDES.keys()])('The guide %s', (name) => {
  test('A guide has examples that succeed in their order.', async () => {
    const text = readFileSync(join(import.meta.dir, `../../../docs/guides/${name}.md`), 'utf8')
    const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)
    const lines = blocks.flatMap((block) => block.trim().split(/\n(?=curl )/))
    const fresh = await createSiteWorld()
    const env = await shell(fresh)
    if (name === 'sign-up-form') await fresh.ok('lists/create', { name: 'Weekly' })
    if (name === 'scripts') {
      await fresh.connect('<p>High water in {{town}}</p>')
      Object.assign(env, { SCRIPT: '1' })
    }
    const failed: string[] = []
    for (const line of lines) {
      const answer = await run(line.replaceAll('https://masthead.example', fresh.url), env)
      if (answer.status < 200 || answer.status > 299) failed.push(`${line}\n→ ${answer.status} ${answer.text}`)
    }
    await fresh.close()
    expect(failed).toEqual([])
  })
})

test('Examples in JavaScript can be read, and one that changes something runs as it stands.', async () => {
  const snippets = [...api.values(), ...platform.values()].flatMap(({ calls }) =>
    calls.map((call) => ({ name: call.name, code: fetchCode(snippetOf(call, world.url)) })),
  )
  const reader = new Bun.Transpiler({ loader: 'js' })
  for (const { code } of snippets) reader.transformSync(code)
  const { code } = snippets.find(({ name }) => name === 'tags/create')!
  const ran = new Function(
    'MASTHEAD_KEY',
    `return (async () => { ${code}\nreturn [answer.status, result.data.tag.name] })()`,
  )
  expect(await ran(world.keys.owner)).toEqual([200, 'By the sea'])
})

test.if(Bun.which('python3') !== null)('Examples in Python can be read.', async () => {
  const codes = [...api.values(), ...platform.values()].flatMap(({ calls }) =>
    calls.map((call) => python(snippetOf(call, world.url))),
  )
  const check = 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "example", "exec")'
  const checked = Bun.spawn(['python3', '-c', check], { stdin: new Blob([JSON.stringify(codes)]), stderr: 'pipe' })
  expect([await new Response(checked.stderr).text(), await checked.exited]).toEqual(['', 0])
})

/** A call that uses everything that a page shows. */
const CALL: Call = {
  name: 'POST /things/{id}',
  group: 'things',
  anchor: 'things_change',
  method: 'POST',
  path: '/api/things/{id}',
  summary: 'Changes a thing.',
  description: '',
  auth: 'oauth2',
  scope: 'things:write',
  needs_key: true,
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a b' },
    { name: 'limit', in: 'query', required: true, schema: { type: 'integer' }, description: 'How many.', example: 1 },
    { name: 'after', in: 'query', required: false, schema: { type: 'integer', description: 'Where.' } },
  ],
  body: { $ref: '#/components/schemas/Thing' },
  body_type: 'application/json',
  example: { size: 1 },
  answer: {},
  answer_example: { size: 1 },
  refusals: [{ status: '409', codes: [{ code: 'CONFLICT', says: 'In use.' }] }],
}
const THINGS: Schemas = {
  Thing: { type: 'object', required: ['size'], properties: { size: { $ref: '#/components/schemas/Size' } } },
  Size: { type: 'object', properties: { unit: { type: 'string', description: 'Of <length>.' } } },
  Other: { type: 'object', properties: {} },
}
const GROUP = { section: 'apps', name: 'things', title: 'Things', href: '/docs' } as const
const shown = (more: Partial<Call> = {}) =>
  groupMarkup({ ...GROUP, calls: [{ ...CALL, ...more }], schemas: THINGS }, 'https://m.example').text

test('A call is shown with what it needs, takes, answers and refuses, and the types that it leads to.', () => {
  const text = shown()
  for (const part of [
    '<li><a href="#things_change"><code>POST /things/{id}</code></a> <span>Changes a thing.</span></li>',
    '<code>POST /api/things/{id}</code> An access token. Scope <a href="/docs/scopes#things:write">things:write</a>.',
    '<code>id</code> <span>string</span> <b>required</b>',
    '<p>In the query. How many.',
    '<code>after</code> <span>integer</span>\n<p>In the query. Where.',
    '<h3>Request</h3>',
    '<a href="#type-Size">',
    '<p class="quiet">See the example.</p>',
    '<li><b>409</b> <a href="/docs/errors#CONFLICT"><code>CONFLICT</code></a> In use. ',
    '<section id="type-Size"><h3>Size</h3>',
    '<section id="type-Thing"><h3>Thing</h3>',
    'Of &lt;length&gt;.',
  ])
    expect(text).toContain(part)
  const request = text.slice(text.indexOf('<h3>Request</h3>'), text.indexOf('<h3>Answer</h3>'))
  expect(request).toContain('<span><a href="#type-Size">Size</a></span> <b>required</b>')
  expect(text).not.toContain('#NOT_FOUND')
  expect([...text.matchAll(/<section id="type-(\w+)"/g)].map(([, name]) => name)).toEqual(['Size', 'Thing'])
  expect(text).not.toContain('type-Other')
  expect(tabsIn(text)).toEqual(['curl', 'fetch', 'python', 'typescript'])
  expect(text).toContain('class="copy">Copy<span class="unseen"> POST /things/{id}</span>')
  expect(text).toContain('<span>Answer</span>')
})

const tabsIn = (text: string) => [...text.matchAll(/role="tab" data-language="([^"]+)"/g)].map(([, name]) => name)

test('An example stands in for the languages that it does not have.', () => {
  expect(tabsIn(shown({ auth: 'client' }))).toEqual(['curl', 'fetch typescript', 'python'])
})

test('A call of the portal shows what is sent and answered, and no command with the cookie of somebody.', () => {
  const text = shown({ auth: 'session' })
  expect(tabsIn(text)).toEqual([])
  expect(text).toContain('<span>Body</span>')
  expect(text).not.toMatch(/curl|cookie/i)
})

test('A page for browsers shows its address with the parameters that apps send.', () => {
  const parameters = [
    { name: 'scope', in: 'query', required: false, schema: {}, example: 'a b' },
    { name: 'prompt', in: 'query', required: false, schema: {}, example: 'login' },
  ]
  const page = {
    auth: 'none',
    method: 'GET',
    path: '/things',
    answer: { type: 'string' },
    answer_example: null,
  } as const
  const text = shown({ ...page, parameters, body: null })
  expect(text).toContain('<code>https://m.example/things\n  ?scope=a%20b</code>')
  expect(tabsIn(text)).toEqual([])
})

test('A call says less where there is less to say.', () => {
  const text = shown({ description: 'Needs `things`.', parameters: [], path: '/things', body: null, refusals: [] })
  for (const absent of ['<h3>Parameters</h3>', '<h3>Request</h3>', 'Scope', 'id="types"'])
    expect(text).not.toContain(absent)
  expect(text).toContain('An access token. Needs things.')
  expect(text).not.toContain('class="errors"')
  expect(shown({ body: {} })).toContain('A body without fields.')
})

test('The example of a call has its required parameters and a body, unless that is a file.', () => {
  const of = (more: Partial<Call> = {}) => snippetOf({ ...CALL, ...more }, 'https://m.example')
  expect(of()).toEqual({
    method: 'POST',
    auth: 'oauth2',
    url: 'https://m.example/api/things/a%20b?limit=1',
    idempotency_key: true,
    body: { size: 1 },
    file_type: null,
    typed: {
      ...{ base_url: 'https://m.example', name: 'POST /things/:id' },
      ...{ params: { id: 'a b' }, query: { limit: 1 } },
    },
  })
  const bare = of({ auth: 'none', parameters: [], path: '/things', needs_key: false, body: null, body_type: null })
  expect(bare).toEqual({ method: 'POST', auth: 'none', url: 'https://m.example/things', body: null, file_type: null })
  expect(of({ body_type: 'text/csv' })).toMatchObject({ body: null, file_type: 'text/csv' })
  expect(of({ body_type: 'application/x-www-form-urlencoded' })).toMatchObject({ body: { size: 1 }, file_type: null })
})
