import { Type } from '@sinclair/typebox'
import { Id, nullable, obj } from '../../schema.ts'
import { checkEmbedding, disconnect, embedScript, listEmbeddable, projectOfConnection } from '../../scripts/embed.ts'
import { checkParameters } from '../../scripts/parameters.ts'
import { API_ROOT } from '../core/paths.ts'
import { route } from '../core/route.ts'
import { ParameterInput, ParameterValues, Success } from '../core/schemas.ts'

const ROOT = `${API_ROOT}/scripts` as const

/** Routes by which an app manages its scripts in a project (docs/api/scripts.md#connections). */
export const scriptRoutes = [
  route({
    method: 'POST',
    path: `${ROOT}/list`,
    summary: 'Every script of the calling app; `id` is null for one that is not connected to the project.',
    auth: 'oauth',
    scope: 'scripts:read',
    role: 'member',
    project: 'query',
    response: obj({
      project_id: Type.String(),
      scripts: Type.Array(obj({ script_id: Id, id: nullable(Id), parameters: ParameterValues })),
    }),
    read: async (_, { db, caller, project_id, project_public_id }) => ({
      project_id: project_public_id,
      scripts: await listEmbeddable(db, caller.app_id, project_id),
    }),
  }),

  route({
    method: 'POST',
    path: `${ROOT}/embed`,
    summary: 'Connects a script to the project, or replaces the parameters of one that is connected.',
    auth: 'oauth',
    scope: 'scripts:embed',
    audit: { target: { kind: 'script', input: 'scriptId' } },
    role: 'editor',
    body: obj({ scriptId: Id, parameters: Type.Optional(ParameterInput) }),
    response: Success,
    errors: ['NOT_FOUND', 'CONFLICT'],
    async prepare({ scriptId, parameters }, { db, caller }) {
      if (parameters === undefined) return undefined
      const checked = checkParameters(parameters)
      // Parsing takes time, so it runs before the transaction.
      await checkEmbedding(db, { app_id: caller.app_id, script_id: scriptId, parameters: checked })
      return checked
    },
    async write({ scriptId }, { tx, caller, project_id, now }, parameters) {
      await embedScript(tx, { app_id: caller.app_id, project_id, script_id: scriptId, parameters }, now)
    },
  }),

  route({
    method: 'DELETE',
    path: `${ROOT}/connection/:connectionId`,
    summary: 'Disconnects a script from its project.',
    auth: 'oauth',
    scope: 'scripts:delete',
    audit: { target: { kind: 'script_connection', input: 'connectionId' } },
    role: 'editor',
    project: ({ connectionId }, { db, caller }) => projectOfConnection(db, caller.app_id, connectionId),
    params: obj({ connectionId: Id }),
    params_error: 'VALIDATION_FAILED',
    catch_all: true,
    response: Success,
    errors: ['NOT_FOUND'],
    write: ({ connectionId }, { tx }) => disconnect(tx, connectionId),
  }),
]
