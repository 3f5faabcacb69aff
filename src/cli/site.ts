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
  summary: 'Make pages of the HTML files in a folder, and update those that differ.',
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
      return {
        code: skipped.length > 0 ? 1 : 0,
        text: [
          ...created.map((path) => `created    ${path}`),
          ...updated.map((path) => `updated    ${path}`),
          ...skipped.map(({ file, reason }) => `not taken  ${file}: ${reason}`),
          `${created.length} created, ${updated.length} updated, ${unchanged.length} unchanged, ${skipped.length} not taken.`,
        ].join('\n'),
        data: { project_id: project.public_id, created, updated, unchanged, skipped },
      }
    }),
})

interface HtmlFile {
  /** Below the folder, as it is reported. */
  name: string
  /** Where it lies. */
  place: string
  /** The page that it becomes. */
  path: string
}

interface Skipped {
  file: string
  reason: string
}

function openFolder(folder: string): string {
  try {
    const place = realpathSync(resolve(folder))
    if (statSync(place).isDirectory()) return place
  } catch {
    // Said below.
  }
  throw new Failure(`There is no folder ${folder}.`)
}

/** All HTML files of a folder, and those that are left out. Links are not followed: they may lead anywhere. */
function htmlFiles(root: string): { files: HtmlFile[]; skipped: Skipped[] } {
  const files = new Map<string, HtmlFile>()
  const skipped: Skipped[] = []
  const walk = (folder: string, below: string, depth: number) => {
    if (depth > MAX_DEPTH) throw new Failure(`The folders nest deeper than ${MAX_DEPTH}.`)
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) walk(join(folder, entry.name), name, depth + 1)
      else if (entry.isSymbolicLink()) skipped.push({ file: name, reason: 'It is a link.' })
      else if (entry.isFile() && /\.html?$/i.test(entry.name)) add({ name, place: join(folder, entry.name) })
    }
  }
  const add = ({ name, place }: Omit<HtmlFile, 'path'>) => {
    const path = pathOf(name)
    const other = path === null ? undefined : files.get(path)
    if (path === null) skipped.push({ file: name, reason: 'Its name cannot be the path of a page.' })
    else if (other) skipped.push({ file: name, reason: `${other.name} is the same page, ${path}.` })
    else files.set(path, { name, place, path })
    if (files.size > MAX_FILES) throw new Failure(`The folder has more than ${MAX_FILES} HTML files.`)
  }
  walk(root, '', 1)
  return { files: [...files.values()], skipped }
}

/** `index.html` is `/`, `a/b.html` is `/a/b`, `a/index.html` is `/a`. */
function pathOf(name: string): string | null {
  return pagePath(`/${name.replace(/\.html?$/i, '').replace(/(?:^|\/)index$/i, '')}`)
}

async function importFile(
  store: Store,
  clock: Clock,
  project_id: ProjectId,
  { place, path }: HtmlFile,
): Promise<'created' | 'updated' | 'unchanged'> {
  const document = await readDocument(readHtml(place))
  const known = await findPageAt(store.db, project_id, path)
  if (known?.html === document.html) return 'unchanged'
  const now = clock.now()
  if (known) {
    const title = document.title === '' ? undefined : titleOf(document, path)
    await store.write((tx) => updatePage(tx, { project_id, page_id: known.id }, { document, title }, now))
    return 'updated'
  }
  await store.write((tx) => createPage(tx, project_id, { path, title: titleOf(document, path), document }, now))
  return 'created'
}

/** The text of a file that is one, and not a link that took its place since it was listed. */
function readHtml(place: string): string {
  const file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW)
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
