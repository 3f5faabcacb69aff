import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'bun:test'
import type { Command } from '../../src/cli/command.ts'
import { projectCreate } from '../../src/cli/projects.ts'
import { siteImport } from '../../src/cli/site.ts'
import { userCreate } from '../../src/cli/users.ts'
import { openStore } from '../../src/store/open.ts'
import { scratchFolder } from '../support/folder.ts'
import { png } from '../support/pictures.ts'

const folder = scratchFolder()
const settings = { flags: { data_dir: join(folder, 'data') }, file: undefined }
const run = (command: Command, flags: object, args: string[] = []) =>
  command.run({ flags: flags as Record<string, never>, args, settings, json: false })
const load = async (from: string, project = 'harbour') => {
  const { data, code, text } = await run(siteImport, {}, [project, join(folder, from)])
  return {
    ...(data as Record<'created' | 'updated' | 'unchanged', string[]> & {
      files: Record<'created' | 'updated' | 'unchanged', string[]>
      skipped: { file: string; reason: string }[]
      not_taken: { file: string; reason: string }[]
    }),
    code,
    text,
  }
}

function write(path: string, content: string | Uint8Array): void {
  const file = join(folder, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content)
}

beforeAll(async () => {
  await run(userCreate, {
    email: 'owner@example.com',
    password: 'a long enough password',
    'first-name': undefined,
    'last-name': undefined,
    admin: false,
  })
  await run(projectCreate, {
    name: 'Harbour',
    slug: 'harbour',
    owner: 'owner@example.com',
    domain: undefined,
    'monthly-limit': undefined,
    'contact-limit': undefined,
  })
})

test('The command site import creates a page for each HTML file and updates pages that differ.', async () => {
  write('plain/index.html', '<title> Home\n page</title>')
  write('plain/about.HTM', '<p>About')
  write('plain/a/b.html', '<p>B')
  write('plain/a/index.html', '<p>A')
  write('plain/style.css', 'a {}')
  write('plain/.hidden/x.html', 'x')
  const first = await load('plain')
  expect(first).toMatchObject({
    created: ['/a/b', '/a', '/about', '/'],
    updated: [],
    unchanged: [],
    files: { created: ['/style.css'], updated: [], unchanged: [] },
    skipped: [],
    not_taken: [{ file: '.hidden', reason: 'It is hidden.' }],
    code: 0,
  })
  expect(first.text).toEndWith(
    'Pages: 4 created, 0 updated, 0 unchanged. Files: 1 created, 0 updated, 0 unchanged. 0 skipped, 1 not taken.',
  )
  write('plain/about.HTM', '<title>About us</title><p>About')
  expect(await load('plain')).toMatchObject({
    created: [],
    updated: ['/about'],
    unchanged: ['/a/b', '/a', '/'],
    files: { created: [], updated: [], unchanged: ['/style.css'] },
    skipped: [],
    code: 0,
  })
})

test('The command site import takes style sheets, pictures, fonts and texts, and tells what it leaves.', async () => {
  write('whole/css/site.css', 'body { color: teal }')
  write('whole/pictures/boat.png', png(2, 2))
  write('whole/pictures/fake.png', 'no picture')
  write('whole/fonts/serif.woff2', 'wOF2 and more')
  write('whole/robots.txt', 'User-agent: *')
  write('whole/favicon.ico', Buffer.from([0, 0, 1, 0, 1]))
  write('whole/js/site.js', 'alert(1)')
  write('whole/notes.md', '# Notes')
  write('whole/large.json', `"${'x'.repeat(4_900_000)}"`)
  const { files, skipped, not_taken, code, text } = await load('whole')
  expect(files.created).toEqual([
    ...['/css/site.css', '/favicon.ico', '/fonts/serif.woff2', '/pictures/boat.png', '/robots.txt'],
  ])
  expect(skipped).toEqual([
    { file: 'large.json', reason: 'It has more than 4900000 bytes.' },
    { file: 'pictures/fake.png', reason: 'The file is not what its extension says.' },
  ])
  expect(not_taken.map(({ file }) => file)).toEqual(['js/site.js', 'notes.md'])
  expect(text).toContain('not taken  js/site.js: Scripts are no files of a site')
  expect(code).toBe(1)
  write('whole/css/site.css', 'body { color: navy }')
  rmSync(join(folder, 'whole/large.json'))
  const again = await load('whole')
  expect(again.files).toMatchObject({ created: [], updated: ['/css/site.css'] })
  expect([again.skipped.length, again.code]).toEqual([1, 1])
})

test('The command site import stays inside its folder and reports each skipped file with a reason.', async () => {
  write('secret.html', '<p>secret')
  write('odd/ok.html', '<p>ok')
  write('odd/same.html', '1')
  write('odd/same/index.html', '2')
  write('odd/what?.html', 'x')
  write('odd/100%.html', 'x')
  write('odd/latin.html', new Uint8Array([0x3c, 0x70, 0x3e, 0xe9]))
  write('odd/large.html', 'x'.repeat(4_900_001))
  write('odd/deep.html', '<div>'.repeat(600))
  symlinkSync(join(folder, 'secret.html'), join(folder, 'odd/link.html'))
  symlinkSync('/etc', join(folder, 'odd/etc'))
  const { created, skipped, code } = await load('odd')
  expect(created).toEqual(['/ok', '/same'])
  expect(skipped.map(({ file }) => file).sort()).toEqual([
    '100%.html',
    'deep.html',
    'etc',
    'large.html',
    'latin.html',
    'link.html',
    'same.html',
    'what?.html',
  ])
  expect(Object.fromEntries(skipped.map(({ file, reason }) => [file, reason]))).toMatchObject({
    etc: 'It is a symbolic link.',
    'large.html': 'It has more than 4900000 bytes.',
    'latin.html': 'It is not UTF-8.',
    'link.html': 'It is a symbolic link.',
    'same.html': 'same/index.html already becomes the page /same.',
    'what?.html': 'Its name is not a valid path.',
  })
  expect(code).toBe(1)
})

test('The command site import fails without an existing project and folder.', async () => {
  await expect(load('nothing')).rejects.toThrow('does not exist')
  await expect(load('secret.html')).rejects.toThrow('does not exist')
  await expect(load('plain', 'nobody')).rejects.toThrow('There is no project nobody')
})

test('A page gets the title of its file as one line, else its path, and keeps it without one.', async () => {
  write('titles/plain.html', `<title> Two\n lines\u0085 ${'x'.repeat(400)}</title>`)
  write('titles/none.html', '<p>None')
  write('titles/kept.html', '<title>Kept</title><p>1')
  const first = await load('titles')
  expect(first.created).toEqual(['/kept', '/none', '/plain'])
  write('titles/kept.html', '<p>2')
  write('titles/none.html', '<title>Now</title><p>None')
  const next = await load('titles')
  expect(next.text!.split('\n')).toEqual([
    'updated    /kept',
    'updated    /none',
    'Pages: 0 created, 2 updated, 1 unchanged. Files: 0 created, 0 updated, 0 unchanged. 0 skipped, 0 not taken.',
  ])
  const store = await openStore({ url: `file:${join(folder, 'data/masthead.db')}` })
  const pages = await store.query("SELECT id, path, title FROM pages WHERE path IN ('/kept', '/none', '/plain')")
  const titles = Object.fromEntries(pages.map(({ path, title }) => [String(path), String(title)]))
  expect([titles['/kept'], titles['/none']]).toEqual(['Kept', 'Now'])
  expect([titles['/plain']!.length, /^Two +lines +x+$/.test(titles['/plain']!)]).toEqual([300, true])
  const ids = pages.map(({ id }) => `page:${String(id)}`).toSorted()
  const rows = await store.query(
    `
    SELECT target, count(*) AS n FROM audit_log WHERE target IN (SELECT value FROM json_each(?)) GROUP BY 1 ORDER BY 1`,
    [JSON.stringify(ids)],
  )
  await store.close()
  expect(rows.map(({ target }) => target)).toEqual(ids)
  expect(rows.map(({ n }) => Number(n)).toSorted()).toEqual([1, 2, 2])
})

test('Folders may nest twenty levels deep.', async () => {
  const nested = (levels: number) => Array.from({ length: levels }, (_, level) => `d${level}`).join('/')
  write(`deep/${nested(19)}/x.html`, '<p>x')
  expect((await load('deep')).created).toHaveLength(1)
  write(`deeper/${nested(20)}/x.html`, '<p>x')
  await expect(load('deeper')).rejects.toThrow('The folders nest deeper than 20 levels.')
})
