import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { join } from 'node:path'
import { ERROR_CODES } from '../../../src/errors.ts'
import { GUIDES } from '../../../src/http/docs/guides.ts'
import { createSiteWorld, type SiteWorld } from '../site-world.ts'

/** The reference: complete, linked, and without scripts. */

let world: SiteWorld
const pages = new Map<string, string>()

beforeAll(async () => {
  world = await createSiteWorld()
  // A Map also gives what is added while it is read.
  pages.set('/docs', await textOf('/docs'))
  for (const [, text] of pages)
    for (const path of linksOf(text).map((link) => link.split('#')[0]!))
      if (path.startsWith('/docs') && !pages.has(path)) pages.set(path, await textOf(path))
})
afterAll(() => world.close())

async function textOf(path: string): Promise<string> {
  const response = await world.fetch(path, { headers: { Cookie: await world.cookie('owner') } })
  return response.status === 200 ? response.text() : `${response.status}`
}

const linksOf = (text: string): string[] => [...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href!)

test('Every link leads to a page, and to an anchor that is there.', async () => {
  const dead: string[] = []
  for (const [page, text] of pages)
    for (const link of new Set(linksOf(text))) {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? text : (pages.get(path) ?? (await textOf(path)))
      if (/^\d{3}$/.test(target) || (anchor && !target.includes(`id="${anchor}"`))) dead.push(`${page}: ${link}`)
    }
  expect(dead).toEqual([])
})

test('Every operation, route, guide and error is in it.', async () => {
  const all = [...pages.values()].join()
  const missing: string[] = []
  for (const root of ['/general/api/v1/newsletter', '']) {
    const document: any = await (await world.fetch(`${root || '/general/api/v1'}/openapi.json`)).json()
    for (const [path, methods] of Object.entries<any>(document.paths))
      for (const method of Object.keys(methods))
        if (!all.includes(`<code>${method.toUpperCase()} ${root}${path}</code>`)) missing.push(`${method} ${path}`)
  }
  const files = [...new Glob('*.md').scanSync(join(import.meta.dir, '../../../docs/guides'))]
  expect(files.map((name) => name.replace('.md', '')).toSorted()).toEqual([...GUIDES.keys()].toSorted())
  missing.push(...[...GUIDES.keys()].filter((name) => !pages.has(`/docs/guides/${name}`)))
  const errors = pages.get('/docs/errors')!
  missing.push(...Object.keys(ERROR_CODES).filter((code) => !new RegExp(`id="${code}".*\n<td>\\w.+</td>`).test(errors)))
  expect(missing).toEqual([])
})

test('Fields say what is required first, their limits, and where their type is explained.', () => {
  const contacts = pages.get('/docs/api/contacts')!
  const upsert = contacts.slice(contacts.indexOf('<section id="contacts_upsert"'))
  expect(upsert.indexOf('<code>consent_text</code> <small>required</small>')).toBeLessThan(
    upsert.indexOf('<code>project_id</code>'),
  )
  expect(upsert).toContain('<small>1 to 4000 characters</small>')
  expect(upsert).toContain('<code>consent.at</code>')
  expect(upsert).toContain('<a href="#type-Contact">Contact</a>')
  expect(upsert).toContain('Scope newsletter:write, role editor or higher.')
})

test('The pages have no scripts, load nothing, and are kept by browsers.', async () => {
  const response = await world.fetch('/docs')
  const hash = new Bun.CryptoHasher('sha256').update(/<style>([^]*?)<\/style>/.exec(await response.text())![1]!)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'referrer-policy': 'same-origin',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${hash.digest('base64')}'; img-src 'self'; base-uri 'none'; ` +
      `form-action 'none'; frame-ancestors 'none'`,
  })
  const again = await world.fetch('/docs', { headers: { 'If-None-Match': response.headers.get('etag')! } })
  expect(again.status).toBe(304)
  expect([...pages.values()].filter((text) => /<script|<img|<link/.test(text))).toEqual([])
})

test('Each page has its own title, is marked in the navigation, and lists what stands on it.', () => {
  for (const [path, title] of [
    ['/docs', 'Reference'],
    ['/docs/errors', 'Errors'],
    ['/docs/api/custom-fields', 'Custom fields'],
    ['/docs/platform/oauth', 'OAuth'],
    ['/docs/guides/backup', GUIDES.get('backup')!.title],
  ] as const) {
    const text = pages.get(path)!
    expect([path, /<title>([^<]*)/.exec(text)![1], /<h1>([^<]*)/.exec(text)![1]]).toEqual([
      path,
      `${title} · Masthead`,
      title,
    ])
    const marked = [...text.matchAll(/<a href="([^"]+)" aria-current="page">([^<]*)/g)].map(([, ...parts]) => parts)
    // Once for narrow screens, once for wide ones; the start itself is no link of the navigation.
    expect(marked).toEqual(
      path === '/docs'
        ? []
        : [
            [path, title],
            [path, title],
          ],
    )
  }
  const sections = [...pages.get('/docs')!.matchAll(/<div class="wide">([^]*?)<\/div>/g)][0]![1]!
  expect([...sections.matchAll(/<h2>([^<]*)/g)].map(([, name]) => name)).toEqual(['Guides', 'Operations', 'Platform'])
})

test('Examples call this service by its own address.', () => {
  for (const [page, path] of [
    ['/docs/api/contacts', '/general/api/v1/newsletter/contacts/upsert'],
    ['/docs/platform/pages', '/project/pages/create'],
  ] as const)
    expect(pages.get(page)!.replaceAll('&#x27;', "'")).toContain(`curl -X POST '${world.url}${path}'`)
})

test('An unknown page is 404.', async () => {
  const group = [...pages.keys()].find((path) => path.startsWith('/docs/platform/') && !path.endsWith('/oauth'))!
  const among_guides = group.replace('/platform/', '/guides/')
  for (const path of [among_guides, '/docs/api/nothing', '/docs/platform/nothing', '/docs/guides/nothing']) {
    const { status, headers } = await world.fetch(path)
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  }
})
