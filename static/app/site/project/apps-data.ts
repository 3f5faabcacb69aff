import { type RouteResponse, send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'

/** The apps of the project, and their scripts. */

export type Overview = RouteResponse<'POST /project/apps/overview'>
export type App = Overview['apps'][number]
export type Script = Overview['scripts'][number]

export const APPS = '/project/apps/overview'

export function useApps() {
  return useQuery(APPS, () => send('POST /project/apps/overview', { project_id: projectId() }))
}

export interface AppWithScripts {
  id: string
  name: string
  /** Null for scripts of an app that is not authorized any more. */
  app: App | null
  scripts: Script[]
}

/** Each app with its scripts, because owners think in apps. */
export function byApp({ apps, scripts }: Overview): AppWithScripts[] {
  const ofApp = Map.groupBy(scripts, ({ app }) => app.id)
  const known = new Set(apps.map(({ id }) => id))
  return [
    ...apps.map((app) => ({ id: app.id, name: app.displayName, app, scripts: ofApp.get(app.id) ?? [] })),
    ...[...ofApp]
      .filter(([id]) => !known.has(id))
      .map(([id, own]) => ({ id, name: own[0]!.app.displayName, app: null, scripts: own })),
  ]
}
