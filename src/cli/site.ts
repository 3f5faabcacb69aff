import { note } from '../audit/record.ts'
import type { ProjectId } from '../ids.ts'
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Clock } from '../clock.ts'
import { AppError, type Flaw } from '../errors.ts'
import { getProject } from '../projects/projects.ts'
import { createPage, type Document, findPageAt, MAX_PAGE_BYTES, readDocument, updatePage } from '../sites/pages.ts'
import { pagePath } from '../sites/paths.ts'
import { hashAt, MAX_FILE_BYTES, type FileChange, putSiteFile, readSiteFile, typeOf } from '../sites/site-files.ts'
import type { Store } from '../store/open.ts'
import { command, Failure } from './command.ts'
import { withStore } from './open.ts'

const MAX_FILES = 10_000
const MAX_DEPTH = 20
const MAX_TITLE = 300

export const siteImport = command({
  name: 'site import',
  summary: 'Put the HTML files of a folder on the site as pages, and its style sheets, pictures and fonts as files.',
  args: ['PROJECT', 'DIR'],
  run: ({ args: [named, folder], settings }) =>
    withStore(settings, async ({ store, clock }) => {
      const project = await getProject(store.db, named)
      const { found, skipped, not_taken } = filesOf(openFolder(folder))
      const pages = outcomes()
      const files = outcomes()
      for (const one of found) {
        try {
          if (one.is_page) pages[await importPage(store, clock, project.id, one)].push(one.path)
          else files[await importFile(store, clock, project.id, one)].push(one.path)
        } catch (error) {
          skipped.push({ file: one.name, reason: reasonOf(error) })
        }
      }
      const both = [pages, files]
      return {
        code: skipped.length > 0 ? 1 : 0,
        text: [
          ...both.flatMap(({ created }) => created.map((path) => `created    ${path}`)),
          ...both.flatMap(({ updated }) => updated.map((path) => `updated    ${path}`)),
          ...skipped.map(({ file, reason }) => `skipped    ${file}: ${reason}`),
          ...not_taken.map(({ file, reason }) => `not taken  ${file}: ${reason}`),
          `Pages: ${counted(pages)}. Files: ${counted(files)}. ` +
            `${skipped.length} skipped, ${not_taken.length} not taken.`,
        ].join('\n'),
        data: { project_id: project.public_id, ...pages, files, skipped, not_taken },
      }
    }),
})

type Outcomes = Record<FileChange, string[]>

function outcomes(): Outcomes {
  return { created: [], updated: [], unchanged: [] }
}

function counted(of: Outcomes): string {
  return Object.entries(of)
    .map(([what, paths]) => `${paths.length} ${what}`)
    .join(', ')
}

interface FoundFile {
  /** Path relative to the imported folder. */
  name: string
  /** Path in the file system. */
  file: string
  /** Path on the site. */
  path: string
  is_page: boolean
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

interface Found {
  found: FoundFile[]
  /** Files that belong on the site and cannot be there. */
  skipped: Skipped[]
  /** Files of kinds that a site does not have. */
  not_taken: Skipped[]
}

/** The files of a folder. Symbolic links, which can lead outside the folder, are skipped. */
function filesOf(root: string): Found {
  const files = new Map<string, FoundFile>()
  const skipped: Skipped[] = []
  const not_taken: Skipped[] = []
  const walk = (folder: string, below: string, depth: number) => {
    if (depth > MAX_DEPTH) throw new Failure(`The folders nest deeper than ${MAX_DEPTH} levels.`)
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.name.startsWith('.')) not_taken.push({ file: name, reason: 'It is hidden.' })
      else if (entry.isDirectory()) walk(join(folder, entry.name), name, depth + 1)
      else if (entry.isSymbolicLink()) skipped.push({ file: name, reason: 'It is a symbolic link.' })
      else if (!entry.isFile()) skipped.push({ file: name, reason: 'It is no file.' })
      else add(name, join(folder, entry.name))
    }
  }
  const add = (name: string, file: string) => {
    const is_page = /\.html?$/i.test(name)
    if (!is_page && typeOf(name) === null) {
      not_taken.push({ file: name, reason: reasonNotToTake(name) })
      return
    }
    const path = is_page ? pathOf(name) : pagePath(`/${name}`)
    const other = path === null ? undefined : files.get(path)
    if (path === null) skipped.push({ file: name, reason: 'Its name is not a valid path.' })
    else if (other) skipped.push({ file: name, reason: `${other.name} already becomes the page ${path}.` })
    else files.set(path, { name, file, path, is_page })
    if (files.size > MAX_FILES) throw new Failure(`The folder has more than ${MAX_FILES} files for the site.`)
  }
  walk(root, '', 1)
  return { found: [...files.values()], skipped, not_taken }
}

function reasonNotToTake(name: string): string {
  return /\.[cm]?js$/i.test(name)
    ? 'Scripts are no files of a site: they stand in its pages, or come from connected apps.'
    : 'A site has no files of this kind.'
}

/** `index.html` becomes `/`, `a/b.html` becomes `/a/b` and `a/index.html` becomes `/a`. */
function pathOf(name: string): string | null {
  return pagePath(`/${name.replace(/\.html?$/i, '').replace(/(?:^|\/)index$/i, '')}`)
}

async function importFile(
  store: Store,
  clock: Clock,
  project_id: ProjectId,
  { file, path }: FoundFile,
): Promise<FileChange> {
  const given = readSiteFile(path, read(file, MAX_FILE_BYTES))
  if ((await hashAt(store.db, project_id, path)) === given.hash) return 'unchanged'
  return store.write(async (tx) => {
    const { file, outcome } = await putSiteFile(tx, project_id, given, clock.now())
    note(tx, { target: `file:${file.id}`, project_id })
    return outcome
  })
}

async function importPage(
  store: Store,
  clock: Clock,
  project_id: ProjectId,
  { file, path }: FoundFile,
): Promise<FileChange> {
  const bytes = read(file, MAX_PAGE_BYTES)
  const document = await readDocument(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
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

/** The bytes of a file. O_NOFOLLOW refuses a symbolic link that replaced the file after it was listed. */
function read(path: string, most: number): Uint8Array<ArrayBuffer> {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = fstatSync(file)
    if (size > most) throw new Failure(`It has more than ${most} bytes.`)
    return new Uint8Array(readFileSync(file))
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
