import type { SQL } from 'drizzle-orm'
import type { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Pending } from './commit-work.ts'
import type { FactLog } from './facts.ts'
import { readAnew } from './read-cache.ts'
import type { Series } from './server-pipeline.ts'
import { namedRows, serverStatements } from './server-statements.ts'
import type { ResultSet } from './server-stream.ts'
import { StatementDatabase } from './session.ts'
import type { CommitWork, Tx } from './store.ts'

const NOTHING: ResultSet = { columns: [], rows: [] }

/** The transaction of one write on a libSQL server. */
export class ServerTx extends StatementDatabase {
  readonly told: Tx['told'] = { actor: null, notes: [] }
  readonly facts: FactLog | null
  readonly readCache = readAnew
  private readonly statements: Series
  private readonly added: Pending[]

  constructor(
    private readonly language: SQLiteAsyncDialect,
    { statements, added, facts }: { statements: Series; added: Pending[]; facts: FactLog | null },
  ) {
    super(language, serverStatements(statements.ask))
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

  async expectNone<T>(query: SQL): Promise<T[]> {
    const { sql, params } = this.language.sqlToQuery(query)
    return namedRows(await this.statements.ask(sql, params, NOTHING)) as T[]
  }

  script(statements: string): Promise<void> {
    return this.statements.script(statements)
  }
}
