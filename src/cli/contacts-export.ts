import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { note } from '../audit/record.ts'
import { exported, requireColumns } from '../newsletter/contacts/export.operations.ts'
import { getProject } from '../projects/projects.ts'
import { Failure, type GivenSettings, type CommandResult, UsageError } from './command.ts'
import { asUsage } from './contacts-import.ts'
import { withReadableStore } from './open.ts'

export interface ExportCall {
  project: string
  /** The file to create; undefined or `-` for standard output. */
  file: string | undefined
  columns: string | undefined
  settings: GivenSettings
  json: boolean
}

/** `masthead contacts export`: the CSV of contacts/export. */
export async function exportContacts({
  project,
  file: named,
  columns,
  settings,
  json,
}: ExportCall): Promise<CommandResult> {
  const given = named === '-' ? undefined : named
  if (json && given === undefined)
    throw new UsageError('--json needs a FILE: the contacts go to the file and the JSON goes to standard output.')
  return withReadableStore(settings, async ({ store, clock }) => {
    const { id: project_id } = await getProject(store.db, project)
    const wanted = await requireColumns(
      store.db,
      project_id,
      columns?.split(',').map((name) => name.trim()),
    ).catch((error: unknown) => {
      throw asUsage(error)
    })
    const file = given === undefined ? null : newFile(given)
    await store.write(async (tx) => note(tx, { project_id }))
    const pieces = exported(store, { project_id, filters: {}, columns: wanted, now: clock.now() })
    if (file === null) return { code: (await printAll(pieces)) ? 0 : 1 }
    await writeFile(file, pieces)
    const { size } = statSync(file)
    return { text: `Exported the contacts to ${file} (${size} bytes).`, data: { file, size_bytes: size } }
  })
}

function newFile(given: string): string {
  const file = resolve(given)
  if (!existsSync(dirname(file))) throw new Failure(`The folder ${dirname(file)} does not exist.`)
  if (existsSync(file)) throw new Failure(`${file} already exists. Choose a new file.`)
  return file
}

/** Prints to standard output. False when the reader closed the pipe. */
async function printAll(pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  try {
    for await (const piece of pieces) await Bun.write(Bun.stdout, piece)
    return true
  } catch (error) {
    if (isSystemError(error) && error.code === 'EPIPE') return false
    throw error
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error
}

/** Writes to a temporary name first, so that an existing export is always complete. Only its owner can read it. */
async function writeFile(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const part = `${file}.part`
  const handle = opened(part)
  try {
    for await (const piece of pieces) writeSync(handle, piece)
    renameSync(part, file)
  } finally {
    closeSync(handle)
    rmSync(part, { force: true })
  }
}

function opened(part: string): number {
  try {
    rmSync(part, { force: true })
    // Only a new file: somebody else may have put a link or a file of their own there.
    return openSync(part, 'wx', 0o600)
  } catch (error) {
    throw isSystemError(error) ? new Failure(`Cannot write ${part} (${error.code}).`) : error
  }
}
