import type { ProjectId } from '../ids.ts'
import { errorFields, type Log } from '../log.ts'
import { type ConnectedScript, connectedScripts } from '../scripts/connections.ts'
import type { Reader } from '../store/open.ts'
import { consentRuntime, gatedMarkup, type WaitingScripts } from './visitor-consent.ts'
import type { ScriptPreview } from './previews.ts'
import { getSiteSettings, projectLook } from './settings.ts'
import { type Insertions, NO_INSERTIONS } from './splice.ts'

/** The scripts to insert into the pages of a project. When reading them fails, pages are served without scripts. */
export async function insertionsOf(
  db: Reader,
  { project_id, gpc, trial }: { project_id: ProjectId; gpc: boolean; trial?: ScriptPreview },
  log: Log,
): Promise<{ insertions: Insertions; asks_consent: boolean }> {
  try {
    const scripts = await connectedScripts(db, project_id, trial)
    if (scripts.length === 0) return { insertions: NO_INSERTIONS, asks_consent: false }
    const asks_consent = scripts.some(({ gated }) => gated)
    const insertions = insertionsFor(scripts, (script, error) => {
      log.warn('a script failed and was left out of a page', {
        project_id,
        script_id: script.script_id,
        connection_id: script.connection_id,
        ...errorFields(error),
      })
    })
    if (!asks_consent) return { insertions, asks_consent }
    const [settings, look] = await Promise.all([getSiteSettings(db, project_id), projectLook(db, project_id)])
    const runtime = consentRuntime(settings, { scripts: waitingScripts(scripts), gpc, look })
    return { insertions: { ...insertions, head: runtime + insertions.head }, asks_consent }
  } catch (error) {
    log.error('reading scripts failed; pages are served without them', { project_id, ...errorFields(error) })
    return { insertions: NO_INSERTIONS, asks_consent: false }
  }
}

/** The scripts that wait for consent. */
export function waitingScripts(scripts: readonly ConnectedScript[]): WaitingScripts {
  const waiting = scripts.filter(({ gated }) => gated)
  const byKind = Map.groupBy(waiting, ({ type }) => type.toLowerCase())
  return new Map([...byKind].map(([kind, some]) => [kind, [...new Set(some.map(({ app_name }) => app_name))]]))
}

const INSERTION_OF = {
  'HTML Head': 'head',
  'HTML Body start': 'body_start',
  'HTML Body end': 'body_end',
} as const satisfies Record<string, keyof Insertions>

/** The markup of scripts by insertion point, in connection order. A failing script is skipped, and `onFault` called. */
export function insertionsFor(
  scripts: readonly ConnectedScript[],
  onFault: (script: ConnectedScript, error: unknown) => void,
): Insertions {
  const insertions = { ...NO_INSERTIONS }
  for (const script of scripts) {
    try {
      insertions[INSERTION_OF[script.placement]] += script.gated ? gatedMarkup(script) : script.html
    } catch (error) {
      onFault(script, error)
    }
  }
  return insertions
}
