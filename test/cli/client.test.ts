import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as Written from '../../src/http/docs/client-runtime.ts'
import { snippetOf } from '../../src/http/docs/call-markup.ts'
import { allCalls, makeReference } from '../../src/http/docs/reference.ts'
import { declaredRoutes } from '../../src/http/routes.ts'
import { typescript } from '../../src/shared/snippets.ts'
import { createWorld, type World } from '../support/world.ts'
import { masthead, scratchFolder } from './masthead.ts'

const scratch = scratchFolder()
const file = join(scratch.path, 'masthead.ts')
let world: World
let written: typeof Written
beforeAll(async () => {
  world = await createWorld()
  const { code, stdout, stderr } = await masthead(scratch.path, ['client', 'typescript', '--out', file])
  expect([code, stdout, stderr]).toEqual([0, `Wrote ${file}.\n`, ''])
  written = (await import(file)) as typeof Written
})
afterAll(async () => {
  await world.close()
  scratch.remove()
})

/** A client whose first `failures` requests are answered by `fail`, and the keys that it sent. */
function failing(failures: number, fail: () => Promise<Response>) {
  const keys: (string | null)[] = []
  const client = written.createClient({
    base_url: world.url,
    token: world.keys.owner,
    fetch(url, init) {
      keys.push(new Headers(init.headers).get('idempotency-key'))
      return keys.length <= failures ? fail() : fetch(url, init)
    },
  })
  return { client, keys }
}

const busy = async () => new Response('{}', { status: 503, headers: { 'Retry-After': '0' } })

test('The client calls operations with an API key and answers their data.', async () => {
  const client = written.createClient({ base_url: `${world.url}/`, token: world.keys.owner })
  const { list } = await client.call('lists/create', { name: 'Weekly' })
  const { items } = await client.call('lists/list', {})
  expect(items.map(({ id, name }) => [id, name])).toEqual([[list.id, 'Weekly']])
  expect(await client.call('contacts/export', {})).toStartWith('id,email,')
})

test('The client calls platform routes with an access token.', async () => {
  const token = await world.token('editor')
  const client = written.createClient({ base_url: world.url, token, project_id: world.project.public_id })
  const { projects } = await client.route('GET /general/api/v1/project/list', {})
  expect(projects.map(({ id }) => id)).toEqual([world.project.public_id])
  expect((await client.call('overview', {})).contacts.total).toBe(0)
})

test('The client repeats a call with the same key after a 503 or no answer, so a thing happens once.', async () => {
  for (const fail of [busy, () => Promise.reject(new Error('connection lost'))]) {
    const { client, keys } = failing(1, fail)
    await client.call('tags/create', { name: `tag ${fail.name}` })
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  }
})

test('A refusal is an error with its code, its flaws and its key, and is not tried again.', async () => {
  const { client, keys } = failing(0, busy)
  const error = await client.call('lists/create', { name: '' }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(written.MastheadError)
  const { refusal } = error as Written.MastheadError
  expect(refusal).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', retryable: false, idempotency_key: keys[0] })
  expect([keys.length, refusal.details]).toEqual([1, [{ path: '/name', message: expect.any(String) }]])
})

test('The client gives up after as many tries as it is told, and a signal ends the waiting.', async () => {
  const { client, keys } = failing(9, busy)
  const error = await client.call('overview', {}).catch((error: unknown) => error)
  expect([keys.length, (error as Written.MastheadError).refusal.status]).toEqual([4, 503])
  const waiting = failing(9, async () => new Response('{}', { status: 429, headers: { 'Retry-After': '60' } }))
  const stop = new AbortController()
  const call = waiting.client.call('overview', {}, { signal: stop.signal })
  stop.abort(new Error('no longer wanted'))
  await expect(call).rejects.toThrow('no longer wanted')
})

/** The examples in TypeScript of every call that the client has, each in a function of its own. */
function examplesOfReference(): string {
  const codes = allCalls(makeReference(declaredRoutes())).flatMap(({ call }) => {
    const code = typescript(snippetOf(call, 'https://masthead.example'))
    return code === null ? [] : [code.replace(/^import .*\n/, '')]
  })
  return [
    "import { createClient } from './masthead.ts'",
    'declare const MASTHEAD_KEY: string, MASTHEAD_TOKEN: string',
    ...codes.map((code) => `export const _${Bun.hash(code)} = async () => {\n${code}\nreturn answer\n}`),
  ].join('\n')
}

test('The file is correct TypeScript that takes the examples of the reference and refuses wrong calls.', async () => {
  await Bun.write(
    join(scratch.path, 'use.ts'),
    `import { createClient } from './masthead.ts'
    const client = createClient({ base_url: 'https://masthead.example', token: 'svc_pk_x' })
    const sent: Promise<{ campaign: { id: number } }> = client.call('campaigns/send', { campaign_id: 7 })
    // @ts-expect-error The id is missing.
    client.call('campaigns/send', {})
    // @ts-expect-error There is no such operation.
    client.call('campaigns/sned', { campaign_id: 7 })
    // @ts-expect-error The project is missing.
    client.route('POST /general/api/v1/project/details', {})
    export { sent }`,
  )
  await Bun.write(join(scratch.path, 'examples.ts'), examplesOfReference())
  const guide = readFileSync(join(import.meta.dir, '../../docs/guides/typed-client.md'), 'utf8')
  const blocks = [...guide.matchAll(/```ts\n([^]*?)```/g)].map(([, block]) => block)
  await Bun.write(join(scratch.path, 'guide.ts'), blocks.join('\n'))
  const options = [
    '--noEmit',
    '--strict',
    '--erasableSyntaxOnly',
    '--noUncheckedIndexedAccess',
    '--allowImportingTsExtensions',
  ]
  const check = Bun.spawn(
    [
      join(import.meta.dir, '../../node_modules/.bin/tsc'),
      ...options,
      ...['--target', 'esnext', '--module', 'preserve', '--lib', 'esnext,dom,dom.iterable', '--types', ''],
      'use.ts',
      'examples.ts',
      'guide.ts',
    ],
    { cwd: scratch.path, stdout: 'pipe' },
  )
  expect([await new Response(check.stdout).text(), await check.exited]).toEqual(['', 0])
})
