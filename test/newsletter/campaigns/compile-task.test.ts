import { expect, test } from 'bun:test'
import {
  compileAside,
  compileTask,
  isSmall,
  slowAsNull,
  SlowDocument,
} from '../../../src/newsletter/campaigns/compile-task.ts'
import { EMPTY_DOCUMENT, type EmailDocument, TOO_MANY_TAGS } from '../../../src/newsletter/email/document.ts'
import type { ProjectId } from '../../../src/ids.ts'
import { TaskTimeout } from '../../../src/threads/heavy.ts'
import type { Store } from '../../../src/store/open.ts'
import { createWorld } from '../../support/world.ts'

const documentOf = (html: string): EmailDocument => ({
  ...EMPTY_DOCUMENT,
  blocks: [{ id: 'a', type: 'text', props: { html } }],
})
const LONG = `<p>${'Tides '.repeat(4000)}</p>`

const input = (html: string) => ({
  project_id: 1 as ProjectId,
  source: {
    document: documentOf(html),
    subject: 'Tides',
    brand: {
      project_name: 'Harbour',
      company_name: '',
      postal_address: '',
      footer_text: null,
      brand_color: '#1f4e79',
      logo_url: null,
    },
  },
  utm: { utm_source: 'mail', utm_medium: '', utm_campaign: '' },
})

const ELSEWHERE = { html: [], text: [] }

/** Counts the tasks and runs them with this function. */
function storeThat(run: () => Promise<unknown>): Pick<Store, 'heavyTask'> & { tasks: number } {
  const store = {
    tasks: 0,
    heavyTask: async () => {
      store.tasks++
      return (await run()) as never
    },
  }
  return store
}

test('A small document compiles at once, a large one on another thread.', async () => {
  const store = storeThat(async () => ELSEWHERE)
  const small = await compileAside(store, input('<a href="https://a.example/">Tides</a>'))
  expect(small.links).toEqual(['https://a.example/'])
  expect(JSON.stringify(small.html)).toContain('utm_source=mail')
  expect(JSON.stringify(small.text)).toContain('utm_source=mail')
  expect(store.tasks).toBe(0)
  expect(isSmall(documentOf(LONG))).toBe(false)
  expect([isSmall('x'.repeat(9998)), isSmall('x'.repeat(9999)), isSmall(undefined)]).toEqual([true, false, true])
  expect((await compileAside(store, input(LONG))) as unknown).toBe(ELSEWHERE)
  expect(store.tasks).toBe(1)
})

test('Posts that fill a small document count, as often as blocks show them.', async () => {
  const store = storeThat(async () => ELSEWHERE)
  const post = { title: 'Tides', slug: 'tides', url: null, excerpt: 'x'.repeat(4000), category: '', date: '' }
  const showing = (blocks: number) => {
    const shown = Array.from({ length: blocks }, (_, at) => ({ id: `p${at}`, type: 'cms_posts', props: { count: 1 } }))
    const document = { ...EMPTY_DOCUMENT, blocks: shown } as EmailDocument
    return compileAside(store, { ...input(''), source: { ...input('').source, document, posts: [post] } })
  }
  await showing(2)
  expect(store.tasks).toBe(0)
  await showing(3)
  expect(store.tasks).toBe(1)
})

test('A document that takes too long is refused.', async () => {
  const store = storeThat(async () => {
    throw new TaskTimeout(compileTask.name)
  })
  const refusal: unknown = await compileAside(store, input(LONG)).catch((reason: unknown) => reason)
  expect(refusal).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ message: 'This document takes too long to process.' }],
  })
})

test('A document has 2,000 merge tags at most, also where formatting hides them.', async () => {
  const world = await createWorld()
  const rendered = (html: string) => world.call('render', { editor_json: documentOf(html), subject: 'Tides' })
  expect(await rendered('{{date}}'.repeat(2000))).toMatchObject({ status: 200 })
  const { status, body } = await rendered('{{date}}'.repeat(2001))
  expect([status, body.error.code, body.error.details]).toEqual([
    ...[400, 'VALIDATION_FAILED', [{ path: '/editor_json/blocks', message: TOO_MANY_TAGS }]],
  ])
  const hidden = await rendered('{<b>{date}}</b>'.repeat(4001))
  expect([hidden.status, hidden.body.error.details]).toEqual([400, [{ path: '', message: TOO_MANY_TAGS }]])
  await world.close()
})

test('A large document renders on its thread as a small one does on this thread.', async () => {
  const world = await createWorld()
  const { html, text, warnings } = await world.ok('render', { editor_json: documentOf(LONG), subject: 'Tides' })
  expect(html).toContain('Tides Tides')
  expect(text).toContain('Tides Tides')
  expect(warnings).toBeArray()
  await world.close()
})

test('Only a slow document counts as none, and any other failure stays one.', () => {
  expect(slowAsNull(new SlowDocument())).toBeNull()
  expect(() => slowAsNull(new Error('The database is gone.'))).toThrow('The database is gone.')
})
