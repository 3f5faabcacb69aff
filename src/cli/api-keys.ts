import { note } from '../audit/record.ts'
import { getUser } from '../accounts/users.ts'
import { iso, isoOrNull } from '../clock.ts'
import { createApiKey, type KeyLimits, listApiKeys, revokeApiKey } from '../projects/api-keys.ts'
import { getProject } from '../projects/projects.ts'
import { checker, Instant, instantOf } from '../schema.ts'
import { type Role, ROLES } from '../shared/roles.ts'
import { KEY_SCOPES } from '../shared/scopes.ts'
import { columns } from './columns.ts'
import { command, UsageError } from './command.ts'
import { withStore, withStoreToRead } from './open.ts'

const PROJECT = { takes: 'ID|SLUG', required: true, help: 'The project.' } as const

export const apiKeyCreate = command({
  name: 'api-key create',
  summary: 'Create an API key with which a program acts as a member of a project.',
  flags: {
    project: PROJECT,
    user: { takes: 'EMAIL|ID', required: true, help: 'The member that the program acts as.' },
    name: { takes: 'NAME', required: true, help: 'A name that says what the key is for.' },
    role: { takes: 'ROLE', help: "The highest role it acts with; the member's own when left out." },
    scopes: { takes: 'SCOPES', help: `What it may do, separated by commas: ${KEY_SCOPES.join(', ')}.` },
    expires: { takes: 'TIME', help: 'When it ends: a day (its beginning in UTC), or a time with an offset.' },
  },
  run: ({ flags, settings }) =>
    withStore(settings, async ({ store, clock }) => {
      const [project, user] = await Promise.all([getProject(store.db, flags.project), getUser(store.db, flags.user)])
      const wanted = { user_id: user.id, name: flags.name, ...limitsOf(flags) }
      const { api_key, key } = await store.write(async (tx) => {
        const created = await createApiKey(tx, project.id, wanted, clock.now())
        const target = `api_key:${created.api_key.id}`
        const { role, scopes, expires_at } = created.api_key
        const limits = { ...(role && { role }), ...(scopes && { scopes }), ...(expires_at && { expires_at }) }
        note(tx, { target, project_id: project.id, details: { user_id: user.id, ...limits } })
        return created
      })
      return {
        text: `${key}\nThe key is shown only once. Store it now.`,
        data: { id: api_key.id, key, project_id: project.public_id, user_id: user.id, name: api_key.name },
      }
    }),
})

function limitsOf({ role, scopes, expires }: Record<'role' | 'scopes' | 'expires', string | undefined>): KeyLimits {
  if (role !== undefined && !(ROLES as readonly string[]).includes(role))
    throw new UsageError(`--role is one of ${ROLES.join(', ')}.`)
  const expires_at = expires === undefined ? undefined : timeOf(expires)
  if (expires_at === null) throw new UsageError('--expires is a day, such as 2027-01-31, or a time with an offset.')
  return {
    role: role as Role | undefined,
    scopes: scopes?.split(/[\s,]+/).filter((scope) => scope !== ''),
    expires_at,
  }
}

function timeOf(text: string): number | null {
  const given = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text
  return checker(Instant).Check(given) ? instantOf(given) : null
}

export const apiKeyList = command({
  name: 'api-key list',
  summary: 'List the API keys of all projects, or of one.',
  flags: { project: { takes: 'ID|SLUG', help: 'List only the keys of this project.' } },
  run: ({ flags, settings }) =>
    withStoreToRead(settings, async ({ store }) => {
      const project = flags.project === undefined ? null : await getProject(store.db, flags.project)
      const keys = await listApiKeys(store.db, { project_id: project?.id })
      return {
        text: columns([
          ['ID', 'PROJECT', 'NAME', 'KEY', 'USER', 'ROLE', 'SCOPES', 'ENDS', 'LAST USED'],
          ...keys.map((key) => [
            key.id,
            key.project_public_id,
            key.name,
            `…${key.hint}`,
            key.user_id,
            key.role ?? 'own',
            key.scopes?.join(' ') ?? 'all',
            isoOrNull(key.expires_at) ?? 'never',
            isoOrNull(key.last_used_at) ?? 'never',
          ]),
        ]),
        data: {
          api_keys: keys.map(({ project_public_id, created_at, last_used_at, expires_at, ...key }) => ({
            id: key.id,
            project_id: project_public_id,
            user_id: key.user_id,
            name: key.name,
            hint: key.hint,
            role: key.role,
            scopes: key.scopes,
            created_on: iso(created_at),
            last_used_on: isoOrNull(last_used_at),
            expires_on: isoOrNull(expires_at),
          })),
        },
      }
    }),
})

export const apiKeyRevoke = command({
  name: 'api-key revoke',
  summary: 'Revoke an API key.',
  flags: { id: { takes: 'ID', required: true, help: 'The id of the key, as printed by api-key list.' } },
  run: ({ flags, settings }) =>
    withStore(settings, async ({ store, clock }) => {
      await store.write(async (tx) => {
        const { project_id } = await revokeApiKey(tx, flags.id, {}, clock.now())
        note(tx, { target: `api_key:${flags.id}`, project_id })
      })
      return { text: `Revoked ${flags.id}.`, data: { id: flags.id, revoked: true } }
    }),
})
