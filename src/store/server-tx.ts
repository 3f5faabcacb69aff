import type { SQL } from 'drizzle-orm'
import type { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Pending } from './commit-work.ts'
import type { FactLog } from './facts.ts'
import type { Series } from './server-pipeline.ts'
import { ServerDatabase } from './server-session.ts'
import type { CommitWork, Tx } from './store.ts'

/** The transaction of one write on a libSQL server. */
export class ServerTx extends ServerDatabase {
  readonly told: Tx['told'] = { actor: null, notes: [] }
  readonly facts: FactLog | null
  private readonly statements: Series
  private readonly added: Pending[]

  constructor(
    private readonly language: SQLiteAsyncDialect,
    { statements, added, facts }: { statements: Series; added: Pending[]; facts: FactLog | null },
  ) {
    super(language, statements.ask)
    this.statements = statements
    this.added = added
    this.facts = facts
  }

  beforeCommit<Entry>(write: CommitWork<Entry>, entry: Entry): void {
    this.added.push({ write, entry })
  }

  async later(statement: SQL): Promise<void> {
    const { sql, params } = this.language.sqlToQuery(statement)
    this.statements.later(sql, params)
  }

  script(statements: string): Promise<void> {
    return this.statements.script(statements)
  }
}
