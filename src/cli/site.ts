import { note } from '../audit/record.ts'
import type { ProjectId } from '../ids.ts'
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Clock } from '../clock.ts'
import { AppError, type Flaw } from '../errors.ts'
import { getProject } from '../projects/projects.ts'
import { createPage, type Document, findPageAt, MAX_PAGE_BYTES, readDocument, updatePage } from '../sites/pages.ts'
import { pagePath } from '../sites/paths.ts'
import type { Store } from '../store/open.ts'
import { command, Failure } from './command.ts'
import { withStore } from './open.ts'

const MAX_FILES = 5000
const MAX_DEPTH = 20
const MAX_TITLE = 300

export const siteImport = command({
  name: 'site import',
  summary: 'Create a page for each HTML file in a folder, and update pages that differ.',
  args: ['PROJECT', 'DIR'],
  run: ({ args: [named, folder], settings }) =>
    withStore(settings, async ({ store, clock }) => {
      const project = await getProject(store.db, named)
      const { files, skipped } = htmlFiles(openFolder(folder))
      const outcome: Record<'created' | 'updated' | 'unchanged', string[]> = { created: [], updated: [], unchanged: [] }
      for (const file of files) {
        try {
          outcome[await importFile(store, clock, project.id, file)].push(file.path)
        } catch (error) {
          skipped.push({ file: file.name, reason: reasonOf(error) })
        }
      }
      const { created, updated, unchanged } = outcome
      const counts = { created, updated, unchanged, skipped }
      return {
        code: skipped.length > 0 ? 1 : 0,
        text: [
          ...created.map((path) => `created    ${path}`),
          ...updated.map((path) => `updated    ${path}`),
          ...skipped.map(({ file, reason }) => `skipped    ${file}: ${reason}`),
          `${Object.entries(counts)
            .map(([what, files]) => `${files.length} ${what}`)
            .join(', ')}.`,
        ].join('\n'),
        data: { project_id: project.public_id, created, updated, unchanged, skipped },
      }
    }),
})

interface HtmlFile {
  /** Path relative to the imported folder. */
  name: string
  /** Path in the file system. */
  file: string
  /** Path of the page. */
  path: string
}

interface Skipped {
  file: string
  reason: string
}

function openFolder(folder: string): string {
  try {
    const path = realpathSync(resolve(folder))
    if (statSync(path).isDirectory()) return path
  } catch {
    // Reported below.
  }
  throw new Failure(`The folder ${folder} does not exist.`)
}

/** All HTML files of a folder, and the skipped ones. Symbolic links, which can lead outside the folder, are skipped. */
function htmlFiles(root: string): { files: HtmlFile[]; skipped: Skipped[] } {
  const files = new Map<string, HtmlFile>()
  const skipped: Skipped[] = []
  const walk = (folder: string, below: string, depth: number) => {
    if (depth > MAX_DEPTH) throw new Failure(`The folders nest deeper than ${MAX_DEPTH} levels.`)
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) walk(join(folder, entry.name), name, depth + 1)
      else if (entry.isSymbolicLink()) skipped.push({ file: name, reason: 'It is a symbolic link.' })
      else if (entry.isFile() && /\.html?$/i.test(entry.name)) add({ name, file: join(folder, entry.name) })
    }
  }
  const add = ({ name, file }: Omit<HtmlFile, 'path'>) => {
    const path = pathOf(name)
    const other = path === null ? undefined : files.get(path)
    if (path === null) skipped.push({ file: name, reason: 'Its name is not a valid page path.' })
    else if (other) skipped.push({ file: name, reason: `${other.name} already becomes the page ${path}.` })
    else files.set(path, { name, file, path })
    if (files.size > MAX_FILES) throw new Failure(`The folder has more than ${MAX_FILES} HTML files.`)
  }
  walk(root, '', 1)
  return { files: [...files.values()], skipped }
}

/** `index.html` becomes `/`, `a/b.html` becomes `/a/b` and `a/index.html` becomes `/a`. */
function pathOf(name: string): string | null {
  return pagePath(`/${name.replace(/\.html?$/i, '').replace(/(?:^|\/)index$/i, '')}`)
}

async function importFile(
  store: Store,
  clock: Clock,
  project_id: ProjectId,
  { file, path }: HtmlFile,
): Promise<'created' | 'updated' | 'unchanged'> {
  const document = await readDocument(readHtml(file))
  const known = await findPageAt(store.db, project_id, path)
  if (known?.html === document.html) return 'unchanged'
  const now = clock.now()
  if (known) {
    const title = document.title === '' ? undefined : titleOf(document, path)
    await store.write(async (tx) => {
      await updatePage(tx, { project_id, page_id: known.id }, { document, title }, now)
      note(tx, { target: `page:${known.id}`, project_id })
    })
    return 'updated'
  }
  await store.write(async (tx) => {
    const { id } = await createPage(tx, project_id, { path, title: titleOf(document, path), document }, now)
    note(tx, { target: `page:${id}`, project_id })
  })
  return 'created'
}

/** The text of a file. O_NOFOLLOW refuses a symbolic link that replaced the file after it was listed. */
function readHtml(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = fstatSync(file)
    if (size > MAX_PAGE_BYTES) throw new Failure(`It has more than ${MAX_PAGE_BYTES} bytes.`)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } finally {
    closeSync(file)
  }
}

function titleOf({ title }: Document, path: string): string {
  const line = title.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g, ' ').trim()
  return (line === '' ? path : line).slice(0, MAX_TITLE).toWellFormed()
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError) return (error.details as Flaw[] | undefined)?.[0]?.message ?? error.message
  if (error instanceof TypeError) return 'It is not UTF-8.'
  return (error as Error).message
}
