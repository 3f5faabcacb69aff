import { type AuditRecord, detailsOf, rowsToCopy } from '../audit/list.ts'
import { iso } from '../clock.ts'
import { getProject } from '../projects/projects.ts'
import { columns } from './columns.ts'
import { command, UsageError } from './command.ts'
import { withStoreToRead } from './open.ts'

const DEFAULT_ROWS = 1000
const MAX_ROWS = 100_000

export const auditList = command({
  name: 'audit list',
  summary: 'List the audit log, oldest row first. With --after it continues where a copy of it ends.',
  flags: {
    project: { takes: 'ID|SLUG', help: 'List only the rows of this project.' },
    after: { takes: 'ID', help: 'List only rows after the row with this id. Default: 0.' },
    limit: { takes: 'N', help: `Most rows, up to ${MAX_ROWS}. Default: ${DEFAULT_ROWS}.` },
  },
  run({ flags, settings }) {
    const after = whole(flags.after, 0, '--after', Number.MAX_SAFE_INTEGER)
    const limit = whole(flags.limit, DEFAULT_ROWS, '--limit', MAX_ROWS)
    return withStoreToRead(settings, async ({ store }) => {
      const project = flags.project === undefined ? null : await getProject(store.db, flags.project)
      const rows = await rowsToCopy(store.db, project?.id ?? null, after, limit)
      return {
        text: columns([
          ['ID', 'TIME', 'ACTOR', 'ACTION', 'TARGET', 'ADDRESS', 'REQUEST', 'OUTCOME'],
          ...rows.map(({ id, at, actor, action, target, ip, request_id, outcome }) => [
            String(id),
            iso(at),
            actor,
            action,
            target ?? '',
            ip ?? '',
            request_id ?? '',
            outcome,
          ]),
        ]),
        data: { rows: rows.map(copyOf), last_id: rows.at(-1)?.id ?? after },
      }
    })
  },
})

function copyOf({ at, details, ...row }: AuditRecord) {
  return { ...row, at: iso(at), details: detailsOf(details) }
}

function whole(text: string | undefined, otherwise: number, flag: string, most: number): number {
  if (text === undefined) return otherwise
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!(number <= most)) throw new UsageError(`${flag} expects a whole number up to ${most}.`)
  return number
}
