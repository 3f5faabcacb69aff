import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { exported, requireColumns } from '../newsletter/audience/contact-export.ts'
import { getProject } from '../projects/projects.ts'
import { Failure, type GivenSettings, type Outcome } from './command.ts'
import { asUsage } from './contacts-import.ts'
import { withStore } from './open.ts'

export interface ExportCall {
  project: string
  /** Standard output when left out. */
  file: string | undefined
  columns: string | undefined
  settings: GivenSettings
}

/** `masthead contacts export`: the CSV of contacts/export. */
export async function exportContacts({ project, file: given, columns, settings }: ExportCall): Promise<Outcome> {
  return withStore(settings, async ({ store, clock }) => {
    const { id: project_id } = await getProject(store.db, project)
    const named = columns?.split(',').map((name) => name.trim())
    const wanted = await requireColumns(store.db, project_id, named).catch((error: unknown) => { throw asUsage(error) })
    const pieces = exported(store, { project_id, filters: {}, columns: wanted, now: clock.now() })
    if (given === undefined) {
      for await (const piece of pieces) await Bun.write(Bun.stdout, piece)
      return {}
    }
    const file = resolve(given)
    if (existsSync(file)) throw new Failure(`${file} exists. An export goes to a new file.`)
    await writeFile(file, pieces)
    const { size } = statSync(file)
    return { text: `Exported the contacts to ${file} (${size} bytes).`, data: { file, size_bytes: size } }
  })
}

/** Under a name of its own first: an export that is there is a whole one. Only its owner may read it. */
async function writeFile(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const part = `${file}.part`
  const handle = openSync(part, 'w', 0o600)
  try {
    for await (const piece of pieces) writeSync(handle, piece)
    renameSync(part, file)
  } finally {
    closeSync(handle)
    rmSync(part, { force: true })
  }
}
