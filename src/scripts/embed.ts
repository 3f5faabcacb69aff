import type { ProjectId } from '../ids.ts'
import { and, asc, count, eq, ne } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import { one, oneOrNotFound } from '../store/rows.ts'
import type { Reader, Tx } from '../store/open.ts'
import { projects } from '../store/tables/accounts.ts'
import { published_scripts, type Parameters, script_connections, scripts } from '../store/tables/scripts.ts'
import { mergeParameters } from './parameters.ts'
import { checkRendered } from './render.ts'

/*
 * How an app connects its scripts to a project (docs/api/scripts.md#connections). Callers check permission first.
 */

interface ListedScript {
  script_id: number
  /** Id of the connection; null when the script is not connected. */
  id: number | null
  /** The script's defaults, overridden by the connection's values. */
  parameters: Parameters
}

const MAX_CONNECTIONS = 20

/** Every published script of the app, connected or not. */
export async function listEmbeddable(db: Reader, app_id: string, project_id: ProjectId): Promise<ListedScript[]> {
  const rows = await db
    .select({
      script_id: scripts.id,
      id: script_connections.id,
      defaults: published_scripts.parameters,
      overrides: script_connections.parameters,
    })
    .from(scripts)
    .innerJoin(published_scripts, eq(published_scripts.script_id, scripts.id))
    .leftJoin(
      script_connections,
      and(eq(script_connections.script_id, scripts.id), eq(script_connections.project_id, project_id)),
    )
    .where(eq(scripts.app_id, app_id))
    .orderBy(asc(scripts.id))
  return rows.map(({ script_id, id, defaults, overrides }) => ({
    script_id,
    id,
    parameters: mergeParameters(defaults, overrides ?? {}),
  }))
}

/**
 * Throws VALIDATION_FAILED, with the key in its path, for parameters that cannot be inserted into the published script;
 * NOT_FOUND as `embedScript`. Parameters that a later version does not fit are handled when pages are rendered.
 */
export async function checkEmbedding(
  db: Reader,
  { app_id, script_id, parameters }: { app_id: string; script_id: number; parameters: Parameters },
): Promise<void> {
  const script = await getPublished(db, app_id, script_id)
  checkRendered({ ...script, parameters: mergeParameters(script.parameters, parameters) })
}

async function getPublished(db: Reader, app_id: string, script_id: number) {
  return oneOrNotFound(
    await db
      .select({
        code: published_scripts.code,
        parameters: published_scripts.parameters,
        parameter_formats: published_scripts.parameter_formats,
      })
      .from(published_scripts)
      .innerJoin(scripts, eq(scripts.id, published_scripts.script_id))
      .where(and(eq(scripts.id, script_id), eq(scripts.app_id, app_id))),
    'script',
    '/scriptId',
  )
}

/**
 * Connects a script, or replaces the parameters of a connected script; undefined parameters stay as stored
 * (docs/api/scripts.md#connections). Throws NOT_FOUND for a script that is unpublished or belongs to another app, and
 * CONFLICT when the app already has MAX_CONNECTIONS scripts in the project.
 */
export async function embedScript(
  tx: Tx,
  {
    app_id,
    project_id,
    script_id,
    parameters,
  }: { app_id: string; project_id: ProjectId; script_id: number; parameters: Parameters | undefined },
  now: number,
): Promise<void> {
  await getPublished(tx, app_id, script_id)
  const others = one(
    await tx
      .select({ count: count() })
      .from(script_connections)
      .innerJoin(scripts, eq(scripts.id, script_connections.script_id))
      .innerJoin(published_scripts, eq(published_scripts.script_id, scripts.id))
      .where(and(eq(script_connections.project_id, project_id), eq(scripts.app_id, app_id), ne(scripts.id, script_id))),
  )
  if (others.count >= MAX_CONNECTIONS)
    throw new AppError('CONFLICT', `An app can connect at most ${MAX_CONNECTIONS} scripts to a project.`)
  await tx
    .insert(script_connections)
    .values({ project_id, script_id, parameters: parameters ?? {}, created_at: now, updated_at: now })
    .onConflictDoUpdate({
      target: [script_connections.project_id, script_connections.script_id],
      set: { ...(parameters === undefined ? {} : { parameters }), updated_at: now },
    })
}

/**
 * The public id of the project that a script connection belongs to. Throws NOT_FOUND when there is none, FORBIDDEN when
 * it belongs to another app.
 */
export async function projectOfConnection(db: Reader, app_id: string, connection_id: number): Promise<string> {
  const connection = oneOrNotFound(
    await db
      .select({ project_public_id: projects.public_id, app_id: scripts.app_id })
      .from(script_connections)
      .innerJoin(projects, eq(projects.id, script_connections.project_id))
      .innerJoin(scripts, eq(scripts.id, script_connections.script_id))
      .where(eq(script_connections.id, connection_id)),
    'connection',
  )
  if (connection.app_id !== app_id) throw new AppError('FORBIDDEN', 'This connection belongs to another app.')
  return connection.project_public_id
}

/** Deletes a script connection. Throws NOT_FOUND when it was already deleted. */
export async function disconnect(tx: Tx, connection_id: number): Promise<void> {
  oneOrNotFound(
    await tx
      .delete(script_connections)
      .where(eq(script_connections.id, connection_id))
      .returning({ id: script_connections.id }),
    'connection',
  )
}
