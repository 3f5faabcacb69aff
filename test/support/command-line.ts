import { join } from 'node:path'
import { commands } from '../../src/cli/commands.ts'
import type { CommandResult } from '../../src/cli/command.ts'
import { parseArguments } from '../../src/cli/parse.ts'
import { newId, type ProjectId } from '../../src/ids.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { one } from '../../src/store/rows.ts'
import { members, projects, users } from '../../src/store/tables/accounts.ts'

/** A data folder with the user `owner@example.com`, who owns the project `harbour`. */
export interface DataFolder {
  path: string
  owner_id: string
  project_id: ProjectId
  public_id: string
  /** Runs a command in this process: its outcome, or what it throws. */
  run(...words: string[]): Promise<CommandResult>
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>
}

export async function dataFolder(path: string): Promise<DataFolder> {
  const run = async (...words: string[]): Promise<CommandResult> => {
    const command = commands.find(({ name }) => name.split(' ').every((word, at) => word === words[at]))!
    const { call } = parseArguments(command, words.slice(command.name.split(' ').length))
    const settings = { ...call.settings, flags: { data_dir: path, ...call.settings.flags }, command: command.name }
    return command.run({ ...call, settings })
  }
  const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openStore({ url: `file:${join(path, 'masthead.db')}` })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  await run('migrate')
  const at = { created_at: 0, updated_at: 0 }
  const [owner_id, public_id] = [newId('usr'), newId('prj')]
  const email = 'owner@example.com'
  const project_id = await withStore((store) =>
    store.write(async (tx) => {
      await tx.insert(users).values({ id: owner_id, email, email_key: email, ...at })
      const { id } = one(
        await tx
          .insert(projects)
          .values({ public_id, name: 'Harbour', slug: 'harbour', ...at })
          .returning({ id: projects.id }),
      )
      await tx.insert(members).values({ project_id: id, user_id: owner_id, role: 'owner', added_at: 0 })
      return id
    }),
  )
  return { path, owner_id, project_id, public_id, run, withStore }
}
