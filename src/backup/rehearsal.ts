import { verifyChain } from '../audit/verify.ts'
import type { Config } from '../config.ts'
import { keyProblem, keysOf } from '../instance.ts'
import { join } from 'node:path'
import { root } from '../root.ts'
import { withDatabaseFile } from '../store/backup.ts'
import { hasMigrations, pendingMigrations } from '../store/migrate.ts'

/** What a copy of the database holds. */
export interface Holds {
  projects: number
  contacts: number
  users: number
  campaigns: number
}

const COUNTS = `
  SELECT (SELECT count(*) FROM projects WHERE deleted_at IS NULL) AS projects,
    (SELECT count(*) FROM contacts) AS contacts, (SELECT count(*) FROM users WHERE deleted_at IS NULL) AS users,
    (SELECT count(*) FROM campaigns WHERE deleted_at IS NULL) AS campaigns`

interface Rehearsed {
  /** Null for a copy whose rows cannot be counted. */
  holds: Holds | null
  /** What is wrong with it; null when it was proven. */
  problem: string | null
}

/** Opens a copy of the database as a restore does: its pages, migrations, secret key, and the chain of the audit log. */
export async function rehearse(file: string, config: Config): Promise<Rehearsed> {
  try {
    return await rehearsed(file, config)
  } catch (error) {
    return { holds: null, problem: (error as Error).message }
  }
}

async function rehearsed(file: string, config: Config): Promise<Rehearsed> {
  return withDatabaseFile(file, async (query) => {
    const [check] = await query('PRAGMA integrity_check')
    if (check?.integrity_check !== 'ok') throw new Error(`The backup is damaged: ${String(check?.integrity_check)}`)
    if (!(await hasMigrations(query))) throw new Error('The backup is not a database of Masthead.')
    await pendingMigrations(query, join(root, 'migrations'))
    const keys = keysOf(config)
    const problem = await keyProblem(query, keys, config)
    if (problem?.is_fatal) throw new Error(problem.message)
    const chain = await verifyChain(query, keys)
    const [counts] = await query(COUNTS)
    return { holds: counts as unknown as Holds, problem: chain.ok ? null : chain.message }
  })
}
