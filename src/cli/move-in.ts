import { basename } from 'node:path'
import { mappingOf, mayReceive, PROVIDERS, statusOfFile } from '../newsletter/imports/providers.ts'
import { getProject } from '../projects/projects.ts'
import type { ColumnMapping, FileColumn } from '../store/tables/imports.ts'
import { Failure, type GivenSettings, type CommandResult, UsageError } from './command.ts'
import { consentTextOf, examineLocal, finish, idsOf } from './contacts-import.ts'
import { withStore } from './open.ts'

export interface MoveInCall {
  provider: string
  files: readonly string[]
  flags: { project: string } & Record<'list' | 'consent-text' | 'report', string | undefined> &
    Record<'dry-run', boolean>
  settings: GivenSettings
}

/**
 * `masthead move-in`: imports the exports of another program by its own columns (docs/operations.md#moving-in). Files
 * of people who left come first, so that nobody is subscribed in between.
 */
export async function moveIn({ provider: name, files, flags, settings }: MoveInCall): Promise<CommandResult> {
  const provider = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined
  if (!provider) throw new UsageError(`Unknown provider ${name}. Expected one of ${Object.keys(PROVIDERS).join(', ')}.`)
  const consent_text = consentTextOf(flags['consent-text'])
  const statusOf = (file: string) => statusOfFile(provider, basename(file))
  const inOrder = [...files].sort((a, b) => Number(mayReceive(statusOf(a))) - Number(mayReceive(statusOf(b))))
  return withStore(settings, async (opened) => {
    const { id: project_id } = await getProject(opened.store.db, flags.project)
    const list_ids = await idsOf(opened.store.db, 'lists', project_id, flags.list)
    const outcomes: CommandResult[] = []
    for (const csv of inOrder) {
      const status = statusOf(csv)
      const mapping = (found: readonly FileColumn[]): ColumnMapping => {
        const { mapping, knows_status } = mappingOf(provider, found, status)
        if (!knows_status)
          throw new Failure(
            `${csv} does not say who opted out: neither a column nor its name does. Export it with the status, or ` +
              'use masthead contacts import.',
          )
        return mapping
      }
      const options = {
        list_ids,
        consent_text,
        consent_confirmed: true,
        update_existing: true,
        create_tags: true,
        on_invalid_value: 'drop_value' as const,
        default_status: status ?? undefined,
      }
      const examined = await examineLocal(opened, { csv, report: flags.report }, { project_id, options, mapping })
      outcomes.push(await finish(opened, examined, flags['dry-run']))
    }
    const warning = files.every((file) => mayReceive(statusOf(file))) ? (provider.unsaid ?? null) : null
    return {
      text: [...outcomes.map(({ text }, index) => `${inOrder[index]}\n${text}`), ...(warning ? [warning] : [])].join(
        '\n\n',
      ),
      data: { imports: outcomes.map(({ data }) => (data as { import: unknown }).import), warning },
      code: Math.max(...outcomes.map(({ code = 0 }) => code)),
    }
  })
}
