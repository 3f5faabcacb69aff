import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { AppError, invalid } from '../errors.ts'
import { checkCode } from '../scripts/code.ts'
import { publishScript, unpublishScript } from '../scripts/published.ts'
import { checkParameters } from '../scripts/parameters.ts'
import { checkRendered } from '../scripts/render.ts'
import { canonicalJson } from '../canonical-json.ts'
import { nameProblem } from '../plain-name.ts'
import type { Reader, Tx } from '../store/open.ts'
import { one, oneOrNotFound } from '../store/rows.ts'
import { app_test_projects, type ScriptText } from '../store/tables/developer.ts'
import {
  published_scripts,
  type ParameterFormats,
  type Parameters,
  script_connections,
  scripts,
} from '../store/tables/scripts.ts'
import { isApproved } from './apps.ts'

/** The developer's text of a script. `draft`: sites get another text of it, or none. */
export interface Script extends ScriptText {
  id: number
  status: 'draft' | 'active'
  created_at: number
  updated_at: number
}

/** A script of a request, before `checkScript`. */
type ScriptInput = Omit<ScriptText, 'parameters' | 'parameter_formats'> & {
  parameters?: unknown
  parameter_formats?: ParameterFormats
}

/** A checked script; parameters and formats left out are none. */
type CheckedScript = Omit<ScriptText, 'parameters' | 'parameter_formats'> &
  Partial<Pick<ScriptText, 'parameters' | 'parameter_formats'>>

const MAX_SCRIPTS = 50
const SCRIPT_NAME_MAX_CHARACTERS = 25

/** The app of a script. */
interface Owner {
  id: string
  status: string
}

/** The app's scripts in the order of their creation. */
export async function listScripts(db: Reader, app_id: string): Promise<Script[]> {
  return read(db, eq(scripts.app_id, app_id))
}

export async function getScript(db: Reader, app_id: string, script_id: number): Promise<Script> {
  return oneOrNotFound(await read(db, and(eq(scripts.app_id, app_id), eq(scripts.id, script_id))), 'script')
}

/**
 * Checks a script, or changes to one. VALIDATION_FAILED with the position in the code. Parsing takes time, so it runs
 * before the transaction.
 */
export function checkScript<I extends Partial<ScriptInput>>(
  input: I,
): Omit<I, 'parameters'> & { parameters?: Parameters } {
  const { name, code, parameters, ...rest } = input
  return {
    ...rest,
    ...(name === undefined ? {} : { name: checkName(name) }),
    ...(code === undefined ? {} : { code: checkCode(code) }),
    ...(parameters === undefined ? {} : { parameters: checkParameters(parameters) }),
  } as Omit<I, 'parameters'> & { parameters?: Parameters }
}

/** Creates a checked script. Sites get it at once in development, else with the next approved version. */
export async function createScript(tx: Tx, app: Owner, input: CheckedScript, now: number): Promise<Script> {
  const own = and(eq(scripts.app_id, app.id), isNull(scripts.removed_at))
  if ((await tx.$count(scripts, own)) >= MAX_SCRIPTS)
    throw new AppError('CONFLICT', `An app has at most ${MAX_SCRIPTS} scripts.`)
  const text = { ...input, parameters: input.parameters ?? {}, parameter_formats: input.parameter_formats ?? {} }
  checkRendered(text)
  const { id } = one(
    await tx
      .insert(scripts)
      .values({ app_id: app.id, ...text, created_at: now, updated_at: now })
      .returning({ id: scripts.id }),
  )
  if (!isApproved(app)) await publishScript(tx, { script_id: id, ...text })
  return getScript(tx, app.id, id)
}

/** Changes a script. Sites get the change as in `createScript`. */
export async function updateScript(
  tx: Tx,
  app: Owner,
  { script_id, ...changes }: Partial<ScriptText> & { script_id: number },
  now: number,
): Promise<Script> {
  const text = { ...textOf(await getScript(tx, app.id, script_id)), ...changes }
  checkRendered(text)
  await tx
    .update(scripts)
    .set({ ...text, updated_at: sql`max(${now}, ${scripts.updated_at} + 1)` })
    .where(eq(scripts.id, script_id))
  if (!isApproved(app)) await publishScript(tx, { script_id, ...text })
  return getScript(tx, app.id, script_id)
}

/**
 * Whether a change of a script is seen on pages at once: a project has connected it while the app is in development, or
 * tests the drafts of the app.
 */
export async function isOnPages(db: Reader, app: Owner, script_id: number): Promise<boolean> {
  if ((await db.$count(app_test_projects, eq(app_test_projects.app_id, app.id))) > 0) return true
  if (isApproved(app)) return false
  return (await db.$count(script_connections, eq(script_connections.script_id, script_id))) > 0
}

/**
 * Removes a script. While the app is in development it leaves the pages at once and its connections end. Sites keep a
 * script of an approved app until a version without it is approved (docs/api/scripts.md#definitions).
 */
export async function removeScript(tx: Tx, app: Owner, script_id: number, now: number): Promise<void> {
  await getScript(tx, app.id, script_id)
  if (!isApproved(app)) {
    await unpublishScript(tx, script_id)
    await tx.delete(script_connections).where(eq(script_connections.script_id, script_id))
  }
  const use = one(
    await tx
      .select({ versioned: scripts.versioned, live: published_scripts.script_id })
      .from(scripts)
      .leftJoin(published_scripts, eq(published_scripts.script_id, scripts.id))
      .where(eq(scripts.id, script_id)),
  )
  if (use.versioned || use.live !== null)
    await tx.update(scripts).set({ removed_at: now, updated_at: now }).where(eq(scripts.id, script_id))
  else await tx.delete(scripts).where(eq(scripts.id, script_id))
}

function checkName(given: string): string {
  const name = given.trim()
  if (name === '') throw invalid('/name', 'A name is required.')
  if ([...name].length > SCRIPT_NAME_MAX_CHARACTERS)
    throw invalid('/name', `A name has at most ${SCRIPT_NAME_MAX_CHARACTERS} characters.`)
  const problem = nameProblem(name)
  if (problem !== null) throw invalid('/name', problem)
  return name
}

async function read(db: Reader, which: ReturnType<typeof and>): Promise<Script[]> {
  const rows = await db
    .select({ script: scripts, live: published_scripts })
    .from(scripts)
    .leftJoin(published_scripts, eq(published_scripts.script_id, scripts.id))
    .where(and(which, isNull(scripts.removed_at)))
    .orderBy(asc(scripts.id))
  return rows.map(({ script, live }) => {
    const { id, created_at, updated_at } = script
    const text = textOf(script)
    const status =
      live !== null && canonicalJson({ ...text, script_id: id }) === canonicalJson(live) ? 'active' : 'draft'
    return { id, ...text, status, created_at, updated_at }
  })
}

function textOf({ name, type, placement, code, parameters, parameter_formats }: ScriptText): ScriptText {
  return { name, type, placement, code, parameters, parameter_formats }
}
