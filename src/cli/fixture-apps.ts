import { createApp } from '../developer/apps.ts'
import { decide, requestReview } from '../developer/reviews.ts'
import { createScript } from '../developer/scripts.ts'
import { createVersion } from '../developer/versions.ts'
import type { ProjectId } from '../ids.ts'
import { startAuthorization } from '../oauth/authorizations.ts'
import { SCOPES } from '../shared/scopes.ts'
import { issueTokens, type TokenAnswer } from '../oauth/tokens.ts'
import type { Tx } from '../store/open.ts'

export const EVERY_SCOPE = Object.keys(SCOPES)

const SCRIPTS = [
  {
    name: 'Badge',
    type: 'Functional',
    placement: 'HTML Body end',
    code: '<div class="badge" data-label="{{label}}"></div>',
    parameters: { label: 'Hello' },
  },
  {
    name: 'Counter',
    type: 'Analytics',
    placement: 'HTML Head',
    code: '<script>window.counter = "{{site}}"</script>',
    parameters: {},
  },
] as const

/** Creates an approved app with two scripts, neither of them connected. */
export async function seedApp(
  tx: Tx,
  display_name: string,
  { developer, reviewer }: { developer: string; reviewer: string },
  now: number,
) {
  const redirect_uri = `https://${display_name.toLowerCase().replace(' ', '-')}.example/callback`
  const { app, client_secret } = await createApp(
    tx,
    developer,
    {
      display_name,
      description: `${display_name} for websites.`,
      homepage: new URL(redirect_uri).origin,
      redirect_uris: [redirect_uri],
      scopes: [...EVERY_SCOPE],
      scope_reasons: {},
      require_pkce: false,
      client_type: 'confidential',
    },
    now,
  )
  const script_ids: number[] = []
  for (const script of SCRIPTS)
    script_ids.push((await createScript(tx, app, { ...script, parameters: { ...script.parameters } }, now)).id)
  const version = await createVersion(tx, app, { user_id: developer, notes: '' }, now)
  const request = await requestReview(tx, developer, { app_id: app.id, version_id: version.id }, now)
  await decide(tx, reviewer, { id: request.id, decision: 'approved', comment: '' }, now)
  return { id: app.id, client_id: app.client_id, client_secret, redirect_uri, script_ids }
}

interface Grant {
  app_id: string
  user_id: string
  project_id: ProjectId
  scopes: readonly string[]
  ttl_seconds: number
}

/** Creates an authorization as the consent page does, and its first pair of tokens. */
export async function grant(
  tx: Tx,
  { app_id, user_id, project_id, scopes, ttl_seconds }: Grant,
  now: number,
): Promise<TokenAnswer> {
  const scope = scopes.join(' ')
  const authorization_id = await startAuthorization(tx, { app_id, user_id, scope, project_ids: [project_id] }, now)
  return issueTokens(tx, { authorization_id: authorization_id!, scope, ttl_seconds }, now)
}
