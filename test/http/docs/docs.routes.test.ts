import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { join } from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { findAsset } from '../../../src/assets.ts'
import { ERROR_CODES } from '../../../src/errors.ts'
import { apiDocuments } from '../../../src/http/documents.ts'
import { GUIDES } from '../../../src/http/docs/guides.ts'
import { makeReference } from '../../../src/http/docs/reference.ts'
import { typedClient } from '../../../src/http/docs/typed-client.ts'
import { declaredRoutes } from '../../../src/http/routes.ts'
import { OAUTH_ERROR_CODES } from '../../../src/oauth/errors.ts'
import { SCOPES } from '../../../src/shared/scopes.ts'
import { createSiteWorld, type SiteWorld } from '../site-world.ts'

/** The documentation: complete, linked, light, and its first minute as it is printed. */

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
  missing.push(
    ...[...Object.keys(ERROR_CODES), ...OAUTH_ERROR_CODES].filter(
      (code) => !new RegExp(`<section id="${code}"[^]*?<p>\\w[^]*?class="beside"><div class="code">`).test(errors),
    ),
  )
  expect(missing).toEqual([])
})

test('Fields say what is required first, their limits, and where their type is explained.', () => {
  const contacts = pages.get('/docs/api/contacts')!
  const upsert = contacts.slice(contacts.indexOf('<section id="contacts_upsert"'))
  expect(upsert.indexOf('<code>consent_text</code> <span>string</span> <b>required</b>')).toBeLessThan(
    upsert.indexOf('<code>project_id</code>'),
  )
  expect(upsert).toContain('<small>1 to 4000 characters</small>')
  expect(upsert).toContain('<code>consent.at</code>')
  expect(upsert).toContain('<a href="#type-Contact">Contact</a>')
  expect(upsert).toContain('Scope <a href="/docs/scopes#newsletter:write">newsletter:write</a>, role editor or higher.')
})

test('The pages run their own scripts only, send nothing elsewhere, and are kept by browsers.', async () => {
  const response = await world.fetch('/docs')
  const text = await response.text()
  const hash = (tag: string) => {
    const [, inside] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)!
    return new Bun.CryptoHasher('sha256').update(inside!).digest('base64')
  }
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'referrer-policy': 'same-origin',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${hash('style')}'; script-src 'self' 'sha256-${hash('script')}'; ` +
      `connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ` +
      `require-trusted-types-for 'script'; trusted-types 'none'`,
  })
  const again = await world.fetch('/docs', { headers: { 'If-None-Match': response.headers.get('etag')! } })
  expect(again.status).toBe(304)
})

test('A page weighs at most 24 kB compressed, its script 4 and the index of the search 16.', async () => {
  const most = (path: string) => (path.endsWith('.ts') ? 30_000 : 24_000)
  const heavy = [...pages].map(([path, text]) => [path, gzipSync(text).length] as const)
  expect(heavy.filter(([path, bytes]) => bytes > most(path))).toEqual([])
  expect(gzipSync(findAsset('docs/docs.js')!.bytes).length).toBeLessThan(4_000)
  expect(gzipSync(await textOf('/docs/search.json')).length).toBeLessThan(16_000)
})

const codesOf = (text: string): string[] =>
  [...text.matchAll(/<section id="quick-start"[^]*?<\/section>/g)].flatMap(([section]) =>
    [...section.matchAll(/<pre role="tabpanel"[^>]*><code>([^]*?)<\/code>/g)].map(([, code]) =>
      code!
        .replace(/<[^>]+>/g, '')
        .replaceAll('&quot;', '"')
        .replaceAll('&#x27;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    ),
  )

test('The quick start, run as it is printed in each language, ends in a changed contact.', async () => {
  const codes = codesOf(await (await world.fetch('/docs')).text()).map((code) =>
    code.replace('svc_pk_…', world.keys.owner),
  )
  await Bun.write(join(world.folder, 'masthead.ts'), pages.get('/docs/masthead.ts')!)
  const [shell, withFetch, python, typescript] = codes as [string, string, string, string]
  const ran = async (command: string[]) => {
    const program = Bun.spawn(command, { cwd: world.folder, stderr: 'inherit' })
    expect(await program.exited).toBe(0)
    return (await new Response(program.stdout).text()).trim().split('\n').at(-1)!
  }
  const begin = async () => {
    const found = await world.call('contacts/get', { email: 'ada@example.com' })
    if (found.status === 200) await world.ok('contacts/delete', { contact_id: found.body.data.contact.id })
  }
  expect(JSON.parse(await ran(['sh', '-c', shell])).data.contact).toMatchObject({ first_name: 'Augusta' })
  for (const [file, code] of [
    ['first.mjs', withFetch],
    ['first.ts', typescript],
  ] as const) {
    await begin()
    await Bun.write(join(world.folder, file), code.replace('console.log(contact)', 'console.log(contact.first_name)'))
    expect([file, await ran([process.execPath, file])]).toEqual([file, 'Augusta'])
  }
  expect(python).toContain('"first_name": "Augusta"')
})

test('The first page of a signed-in person makes a key, where their role may, and only they get it.', async () => {
  const pageFor = async (role: 'owner' | 'member' | 'outsider') => {
    const response = await world.fetch('/docs', { headers: { Cookie: await world.cookie(role) } })
    return { text: await response.text(), headers: response.headers }
  }
  const { text, headers } = await pageFor('owner')
  expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, no-cache', 'Cookie, Accept-Encoding'])
  expect(text).toContain(`<option value="${world.project.public_id}" data-slug="${world.project.slug}">Harbour News`)
  expect(text).toContain('id="make-key"')
  const member = await pageFor('member')
  expect(member.text).toContain('Making a key takes an administrator')
  expect((await pageFor('outsider')).text).toContain('in no project yet')
  const out = await world.fetch('/docs')
  expect(await out.text()).toContain('href="/portal/login?return=%2Fdocs"')
  expect([out.headers.get('cache-control'), out.headers.get('vary')]).toEqual([
    'public, max-age=300',
    'Cookie, Accept-Encoding',
  ])
})

test('The typed client is served as the command line writes it.', async () => {
  const response = await world.fetch('/docs/masthead.ts')
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await response.text()).toBe(await typedClient(apiDocuments()))
})

test('The search finds each page, call, scope and error where it stands.', async () => {
  const { pages: titles, entries }: any = await (await world.fetch('/docs/search.json')).json()
  const dead: string[] = []
  for (const [, page, anchor] of entries) {
    const [, path] = titles[page]
    if (anchor !== '' && !pages.get(path)!.includes(`id="${anchor}"`)) dead.push(`${path}#${anchor}`)
  }
  expect(dead).toEqual([])
  const found = (title: string) => entries.find((entry: any) => entry[0] === title)
  for (const title of ['contacts/upsert', 'POST /general/oauth/token', 'newsletter:send', 'NOT_READY', 'invalid_grant'])
    expect([title, found(title)?.[0]]).toEqual([title, title])
  expect(found('lists/create')[3]).toContain('double_opt_in')
})

test('The table of scopes says of each what it allows, who may grant it, and what it opens.', () => {
  const text = pages.get('/docs/scopes')!
  for (const [name, { label, least_role }] of Object.entries(SCOPES)) {
    const [row] = new RegExp(`<tr><th scope="row"><a href="#${name}">[^]*?</tr>`).exec(text) ?? ['']
    expect(row).toContain(label)
    expect(row.toLowerCase()).toContain(`<td>${least_role}</td>`)
  }
  const send = /<section id="newsletter:send">[^]*?<\/section>/.exec(text)![0]
  expect(send).toContain('<a href="/docs/api/campaigns#campaigns_send"><code>campaigns/send</code></a>')
  expect(send).not.toContain('campaigns/create')
})

test('No page shows a command with the cookie of somebody.', () => {
  const shown = [...pages].filter(([path, text]) => path.startsWith('/docs') && /(-b |Cookie: )["$&]/.test(text))
  expect(shown.map(([path]) => path)).toEqual([])
})

test('Each route has a chapter with plain words.', () => {
  const { platform } = makeReference(declaredRoutes())
  const titles = [...platform.values()].map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles).toHaveLength(17)
})

test('Each page has its own title, is marked in the navigation, and lists what stands on it.', () => {
  for (const [path, title] of [
    ['/docs/errors', 'Errors'],
    ['/docs/scopes', 'Scopes'],
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
    // Once for narrow screens, once for wide ones.
    expect(marked).toEqual([
      [path, title],
      [path, title],
    ])
  }
  const sections = [...pages.get('/docs')!.matchAll(/<div class="wide">([^]*?)<\/div>/g)][0]![1]!
  expect([...sections.matchAll(/<(?:h2|summary)>([^<]*)/g)].map(([, name]) => name)).toEqual([
    ...['Start', 'Guides', 'Newsletter', 'For apps', 'Without credentials', 'Of the portal'],
  ])
  expect(pages.get('/docs')).toContain('<a class="way" href="/portal/">Open the portal</a>')
})

test('Examples call this service by its own address.', () => {
  for (const [page, path] of [
    ['/docs/api/contacts', '/general/api/v1/newsletter/contacts/upsert'],
    ['/docs/platform/scripts', '/general/api/v1/scripts/embed'],
  ] as const)
    expect(
      pages
        .get(page)!
        .replaceAll('&#x27;', "'")
        .replace(/<\/?i[^>]*>/g, ''),
    ).toContain(`curl -X POST '${world.url}${path}'`)
})

test('An unknown page is 404.', async () => {
  const group = [...pages.keys()].find((path) => path.startsWith('/docs/platform/') && !path.endsWith('/oauth'))!
  const among_guides = group.replace('/platform/', '/guides/')
  for (const path of [among_guides, '/docs/api/nothing', '/docs/platform/nothing', '/docs/guides/nothing']) {
    const { status, headers } = await world.fetch(path)
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  }
})
