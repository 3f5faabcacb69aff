import { Type } from '@sinclair/typebox'
import { admit, requireRole } from '../../access/permission.ts'
import { iso, isoOrNull } from '../../clock.ts'
import { notFound } from '../../errors.ts'
import { endOwnAuthorization, withdrawProject } from '../../oauth/authorizations.ts'
import { type Connection, connectionsOfProject, connectionsOfUser } from '../../oauth/connected.ts'
import { check, obj } from '../../schema.ts'
import type { Runtime } from '../../runtime.ts'
import { readJson } from '../core/body.ts'
import { type Handler, json } from '../core/exchange.ts'
import { signedIn } from '../core/session-route.ts'

/** `GET /user/connected-apps`: one entry an authorization. */
export function connectedAppList(runtime: Runtime): Handler {
  return signedIn(runtime, async (_, caller) => {
    const connections = await connectionsOfUser(runtime.store.db, caller.user_id)
    return json(200, {
      connected_apps: connections.map((connection) => ({ ...record(connection), project_ids: connection.project_ids })),
    })
  })
}

/** `DELETE /user/connected-apps/:authorizationId`: ends it with all its tokens. */
export function connectedAppEnd(runtime: Runtime): Handler {
  return signedIn(runtime, async ({ params, now }, caller) => {
    const ended = await runtime.store.write((tx) =>
      endOwnAuthorization(tx, params.authorizationId ?? '', caller.user_id, now),
    )
    if (!ended) throw notFound('connected app')
    return json(200, { success: true })
  })
}

const AppsOfProject = obj({ project_id: Type.String({ minLength: 1 }) })

/** `POST /project/apps/list`: for administrators, the apps that any member has connected with the project. */
export function projectAppList(runtime: Runtime): Handler {
  return signedIn(runtime, async ({ request }, caller) => {
    const { project_id, role } = await admit(
      runtime.store.db,
      caller,
      check(AppsOfProject, await readJson(request)).project_id,
    )
    requireRole(role, 'administrator')
    const connections = await connectionsOfProject(runtime.store.db, project_id)
    return json(200, {
      apps: connections.map((connection) => ({ ...record(connection), user_id: connection.user_id })),
    })
  })
}

const AppOfProject = obj({ project_id: Type.String({ minLength: 1 }), app_id: Type.String({ minLength: 1 }) })

/** `POST /project/apps/disconnect`: for administrators; the app loses the project, whoever of its members connected it. */
export function projectAppDisconnect(runtime: Runtime): Handler {
  return signedIn(runtime, async ({ request }, caller) => {
    const { project_id: named, app_id } = check(AppOfProject, await readJson(request))
    const { project_id, role } = await admit(runtime.store.db, caller, named)
    requireRole(role, 'administrator')
    const withdrawn = await runtime.store.write((tx) => withdrawProject(tx, app_id, project_id))
    if (!withdrawn) throw notFound('connected app', '/app_id')
    return json(200, { success: true })
  })
}

function record({ authorization_id, app, scope, created_at, last_used_at }: Connection) {
  return {
    authorization_id,
    app: { id: app.id, displayName: app.display_name, homepage: app.homepage },
    scope,
    created_on: iso(created_at),
    last_used_on: isoOrNull(last_used_at),
  }
}
